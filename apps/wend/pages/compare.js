// Sorts a table by the column that is clicked; a second click turns the order round.
// Numbers sort as numbers, and empty cells go last.
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const sign = down ? -1 : 1;
    const key = row => {
      const cell = row.cells[column];
      return cell.dataset.v === undefined ? cell.textContent : parseFloat(cell.dataset.v);
    };
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row, place) => ({row, place, key: key(row)}));
    const empty = k => k === "" || k !== k;
    rows.sort((a, b) => {
      if (empty(a.key) !== empty(b.key)) return empty(a.key) ? 1 : -1;
      if (a.key < b.key) return -sign;
      if (a.key > b.key) return sign;
      return a.place - b.place;
    });
    for (const {row} of rows) body.append(row);
  }));
}
