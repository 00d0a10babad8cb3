"use strict";
// Copies a block of text; where the browser refuses, marks it, so that Ctrl-C copies it.
async function copy(button) {
  const block = document.getElementById(button.dataset.copies);
  const told = document.getElementById(button.dataset.tells);
  try {
    await navigator.clipboard.writeText(block.textContent);
    told.textContent = "copied";
  } catch {
    getSelection().selectAllChildren(block);
    told.textContent = "marked: copy it with Ctrl-C or Cmd-C";
  }
}
for (const button of document.querySelectorAll("button[data-copies]")) {
  button.addEventListener("click", () => copy(button));
}
// A link into folded details unfolds them, each time it is followed.
function unfold(hash) {
  const target = document.getElementById(decodeURIComponent(hash.slice(1)));
  const details = target && target.closest("details");
  if (details) {
    details.open = true;
    target.scrollIntoView();
  }
}
for (const link of document.querySelectorAll("a[href^='#']")) {
  link.addEventListener("click", () => unfold(link.hash));
}
addEventListener("hashchange", () => unfold(location.hash));
unfold(location.hash);
// Paper shows everything.
const folded = new Set();
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details:not([open])")) {
    folded.add(details);
    details.open = true;
  }
});
addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
  folded.clear();
});
