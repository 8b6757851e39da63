"use strict";
// An open part of the menu closes by Escape, and by a press or a focus elsewhere. Without this script its own name closes it.
(() => {
  const open = () => document.querySelector(".menu details[open]");
  const leave = event => {
    const part = open();
    if (part && !part.contains(event.target)) part.open = false;
  };
  document.addEventListener("pointerdown", leave);
  document.addEventListener("focusin", leave);
  document.addEventListener("keydown", event => {
    const part = open();
    if (event.key !== "Escape" || !part) return;
    part.open = false;
    part.querySelector("summary").focus();
  });
})();
