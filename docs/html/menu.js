// The menu at the left: opens and closes on small screens, and shows where the reader is. And options such as --filter,
// which a browser would break after a hyphen.
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
  document.querySelectorAll(".rst-content :not(pre) > code").forEach(function (code) {
    if (code.children.length || code.textContent.indexOf("-") < 0) return;
    var words = code.textContent.split(/(\s+)/);
    code.textContent = "";
    words.forEach(function (word) {
      var part = document.createElement("span");
      part.textContent = word;
      if (word.length < 30) part.style.whiteSpace = "nowrap";
      code.appendChild(/^\s+$/.test(word) ? document.createTextNode(word) : part);
    });
  });
})();
