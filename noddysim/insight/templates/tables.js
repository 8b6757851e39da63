"use strict";
// Tables sort by a press on the head of a column: rising, falling, as they were. Long ones show only rows with some words.
// Without this script the page reads just as well; it needs no network and no other script.
(() => {
  const LONG = 8;
  const sorter = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  // Every row with all its cells: a cell that stands for several rows is said again in each of them.
  const flat = body => {
    const open = [];
    return [...body.rows].map(row => {
      const copy = row.cloneNode(false);
      const own = [...row.cells];
      for (let column = 0; own.length || (open[column] && open[column].left); column += 1) {
        if (open[column] && open[column].left) {
          open[column].left -= 1;
          copy.append(open[column].cell.cloneNode(true));
          continue;
        }
        const cell = own.shift().cloneNode(true);
        open[column] = { cell, left: cell.rowSpan - 1 };
        cell.removeAttribute("rowspan");
        if (cell.getAttribute("scope") === "rowgroup") cell.setAttribute("scope", "row");
        copy.append(cell);
      }
      return copy;
    });
  };

  const valueOf = cell => {
    const given = cell.dataset.value;
    if (given === undefined) return cell.textContent.trim();
    return given === "" ? null : Number(given);
  };

  const compare = (one, other) => {
    if (typeof one === "number" && typeof other === "number") return one - other;
    return sorter.compare(String(one), String(other));
  };

  const make = (name, settings, ...children) => {
    const node = Object.assign(document.createElement(name), settings);
    node.append(...children);
    return node;
  };

  const enliven = table => {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    const original = [...body.rows];
    if (original.length < 2) return;
    const rows = flat(body);
    const state = { column: -1, sign: 1, words: "" };
    const count = make("output", { className: "count" });
    const select = make("select", {}, make("option", { value: "", textContent: "as it stands" }));

    const show = () => {
      const wanted = state.words.toLowerCase().split(/\s+/).filter(Boolean);
      const holds = row => wanted.every(word => row.textContent.toLowerCase().includes(word));
      const found = rows.filter(holds);
      if (state.column >= 0) {
        const values = new Map(found.map(row => [row, valueOf(row.cells[state.column])]));
        // What has no value stands last either way.
        const empty = row => values.get(row) === null;
        found.sort((a, b) => empty(a) - empty(b) || (empty(a) ? 0 : state.sign * compare(values.get(a), values.get(b))));
      }
      body.replaceChildren(...(state.column < 0 && !wanted.length ? original : found));
      heads.forEach((head, place) => {
        if (place === state.column) head.setAttribute("aria-sort", state.sign > 0 ? "ascending" : "descending");
        else head.removeAttribute("aria-sort");
      });
      count.textContent = wanted.length ? `${found.length} of ${rows.length} rows` : "";
      select.value = state.column < 0 ? "" : `${state.column} ${state.sign}`;
    };

    heads.forEach((head, place) => {
      const button = make("button", { type: "button", title: "Sort by this column" }, ...head.childNodes);
      button.addEventListener("click", () => {
        if (state.column !== place) Object.assign(state, { column: place, sign: 1 });
        else if (state.sign > 0) state.sign = -1;
        else state.column = -1;
        show();
      });
      head.append(button);
      for (const [sign, words] of [[1, "rising"], [-1, "falling"]]) {
        select.append(make("option", { value: `${place} ${sign}`, textContent: `${button.textContent}, ${words}` }));
      }
    });
    select.addEventListener("change", () => {
      const [column, sign] = select.value ? select.value.split(" ").map(Number) : [-1, 1];
      Object.assign(state, { column, sign });
      show();
    });

    const tools = make("div", { className: "tools" });
    if (rows.length >= LONG) {
      const search = make("input", { type: "search" });
      search.addEventListener("input", () => {
        state.words = search.value;
        show();
      });
      tools.append(make("label", {}, "Rows with ", search), count);
    }
    // On a telephone some tables have no heads to press.
    if (table.classList.contains("stacked")) tools.append(make("label", { className: "narrow" }, "Sort by ", select));
    if (tools.childNodes.length) table.closest(".scroll").before(tools);
  };

  document.querySelectorAll(".scroll > table").forEach(enliven);
})();
