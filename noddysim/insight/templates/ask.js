"use strict";
(() => {
  const table = __TABLE__;
  const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const ranks = "A23456789TJQK";
  const form = document.getElementById("ask");
  const answer = document.getElementById("ask-answer");

  // Hands of three in the order of the table: rising ranks, the last card running fastest.
  const numbers = new Map();
  for (let a = 0; a < 13; a++)
    for (let b = a; b < 13; b++)
      for (let c = b; c < 13; c++) numbers.set([a, b, c].join(), numbers.size);

  // Two signs a value: hundredths of a point above -20.48; nought for a card that there is not.
  const value = (text, place) => {
    const code = signs.indexOf(text[2 * place]) * 64 + signs.indexOf(text[2 * place + 1]);
    return code ? (code - 2048) / 100 : null;
  };

  const points = (number, plus) =>
    (number < 0 ? "\u2212" : plus && number > 0 ? "+" : "") + Math.abs(number).toFixed(2);

  const told = (hand, starter, led) => {
    const row = starter * numbers.size + numbers.get(hand.join());
    const text = led === null ? table.leads : table.replies;
    const start = 3 * (led === null ? row : (starter * 13 + led) * numbers.size + numbers.get(hand.join()));
    return [...new Set(hand)].map((rank, place) => ({ rank, value: value(text, start + place) }));
  };

  const cell = (row, kind, words) => {
    const one = document.createElement(kind);
    one.textContent = words;
    if (kind === "th") one.scope = row.parentNode.tagName === "THEAD" ? "col" : "row";
    row.append(one);
  };

  const show = () => {
    const dealer = form.elements.seat.value === "dealer";
    document.getElementById("ask-led").hidden = !dealer;
    const read = name => Number(form.elements[name].value);
    const hand = ["one", "two", "three"].map(read).sort((a, b) => a - b);
    const led = dealer ? read("led") : null;
    const seen = [...hand, read("starter"), ...(dealer ? [led] : [])];
    answer.replaceChildren();
    const many = seen.find(rank => seen.filter(other => other === rank).length > 4);
    const words = document.createElement("p");
    answer.append(words);
    if (many !== undefined) {
      words.textContent = `Five cards of rank ${ranks[many]}: there are four.`;
      return;
    }
    const found = told(hand, read("starter"), led).sort((a, b) => b.value - a.value);
    const best = found[0];
    const what = dealer ? "Lay" : "Lead";
    const alike = found.filter(one => one.value === best.value).map(one => ranks[one.rank]).join(" or ");
    words.textContent = `${what} ${alike}: ${points(best.value, true)} points a deal with best play.`;
    const grid = document.createElement("table");
    const head = grid.createTHead().insertRow();
    for (const title of ["card", "my points less the other's", "lost against the best"]) cell(head, "th", title);
    const body = grid.createTBody();
    for (const one of found) {
      const row = body.insertRow();
      cell(row, "th", ranks[one.rank]);
      cell(row, "td", points(one.value, true));
      cell(row, "td", points(best.value - one.value, false));
    }
    answer.append(grid);
  };

  form.addEventListener("change", show);
  form.addEventListener("submit", event => event.preventDefault());
  show();
})();
