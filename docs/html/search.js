// The search of the HTML documentation. The index is a script (search/index.js, made by docs/build), so it works from
// files too.
//
// Every word of the question must occur. Titles count more than texts, a whole title more than a part of it: the entry
// of `ctx:send` comes first for "ctx:send", "send" and "ctx send".
(function () {
  "use strict";

  var limit = 60;

  function wordsOf(question) {
    return question.toLowerCase().split(/[\s,;]+/).filter(Boolean);
  }

  // 0 when the word does not occur.
  function scoreOf(word, title, text) {
    if (title === word) return 200;
    var at = title.indexOf(word);
    if (at >= 0) {
      var begins = at === 0 || !/[a-z0-9_]/.test(title[at - 1]);
      var ends = at + word.length === title.length || !/[a-z0-9_]/.test(title[at + word.length]);
      return begins && ends ? 100 : begins ? 40 : 20;
    }
    var count = text.split(word).length - 1;
    return Math.min(count, 10);
  }

  function find(question) {
    var words = wordsOf(question), found = [];
    if (words.length === 0) return found;
    perigeeSearchIndex.forEach(function (entry) {
      var score = 0;
      for (var i = 0; i < words.length; i++) {
        var one = scoreOf(words[i], entry.lowTitle, entry.lowText);
        if (one === 0) return;
        score += one;
      }
      found.push({ entry: entry, score: score - entry.title.length / 100 });
    });
    found.sort(function (a, b) { return b.score - a.score; });
    return found;
  }

  function excerptOf(entry, words) {
    var at = -1;
    words.forEach(function (word) {
      var here = entry.lowText.indexOf(word);
      if (here >= 0 && (at < 0 || here < at)) at = here;
    });
    var begin = at < 80 ? 0 : entry.text.indexOf(" ", at - 80) + 1;
    var piece = entry.text.substring(begin, begin + 240);
    return (begin > 0 ? "… " : "") + piece + (begin + 240 < entry.text.length ? " …" : "");
  }

  // Text in which the words are marked.
  function marked(parent, text, words) {
    var escaped = words.map(function (word) { return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"); });
    text.split(new RegExp("(" + escaped.join("|") + ")", "i")).forEach(function (part, i) {
      var node = i % 2 ? document.createElement("mark") : document.createTextNode(part);
      if (i % 2) node.textContent = part;
      parent.appendChild(node);
    });
  }

  function show(question, place) {
    var words = wordsOf(question), found = find(question);
    place.textContent = "";
    if (words.length > 0) {
      var count = document.createElement("p");
      count.className = "search-count";
      count.textContent = found.length === 0 ? "Nothing has all of these words." :
        found.length > limit ? "The first " + limit + " of " + found.length + " places:" :
        found.length === 1 ? "1 place:" : found.length + " places:";
      place.appendChild(count);
    }
    found.slice(0, limit).forEach(function (hit) {
      var article = document.createElement("article"), title = document.createElement("h3");
      var link = document.createElement("a"), text = document.createElement("p");
      link.href = base_url + "/" + hit.entry.location;
      marked(link, hit.entry.title, words);
      title.appendChild(link);
      if (hit.entry.page !== hit.entry.title) {
        var page = document.createElement("span");
        page.className = "search-page";
        page.textContent = hit.entry.page;
        title.appendChild(page);
      }
      marked(text, excerptOf(hit.entry, words), words);
      article.appendChild(title);
      article.appendChild(text);
      place.appendChild(article);
    });
  }

  function start() {
    var input = document.getElementById("mkdocs-search-query");
    var place = document.getElementById("mkdocs-search-results");
    if (!input || !place) return;
    perigeeSearchIndex.forEach(function (entry) {
      entry.lowTitle = entry.title.toLowerCase();
      entry.lowText = entry.text.toLowerCase();
    });
    input.value = new URLSearchParams(location.search).get("q") || "";
    input.addEventListener("input", function () { show(input.value, place); });
    show(input.value, place);
    input.focus();
  }

  start();
})();
