// The menu at the left: opens and closes on small screens, and shows where the reader is.
(function () {
  "use strict";
  var button = document.querySelector("[data-toggle='wy-nav-top']");
  if (button) button.addEventListener("click", function () {
    document.querySelectorAll("[data-toggle='wy-nav-shift']").forEach(function (part) {
      part.classList.toggle("shift");
    });
  });
  var current = document.querySelector(".wy-menu-vertical a.current");
  var side = document.querySelector(".wy-nav-side .wy-side-scroll");
  if (current && side && current.offsetTop > side.clientHeight / 2) side.scrollTop = current.offsetTop - 120;
})();
