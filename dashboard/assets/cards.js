// Card faces as SVG, drawn by ourselves: 52 suited cards, two jokers, cards of which only the rank is known, a back.
// Knows a face by its text (S3, HT, B, R, or a rank alone). Draws nothing for any other text.

const SVG = "http://www.w3.org/2000/svg";
const RED = "#c4202e";
const BLACK = "#1c2026";
const GREY = "#5b616b";
const PIPS = {
  S: "M0-5.2C1.3-3.2 5-1 5 1.7 5 3.4 3.7 4.1 2.7 4.1 1.7 4.1 1 3.5.6 2.8.7 4 1.2 4.9 2.1 5.4H-2.1C-1.2 4.9-.7 4-.6 2.8-1 3.5-1.7 4.1-2.7 4.1-3.7 4.1-5 3.4-5 1.7-5-1-1.3-3.2 0-5.2Z",
  H: "M0 5.2C-1.3 3.5-5.2.9-5.2-2-5.2-4-3.8-5-2.6-5-1.4-5-.5-4.2 0-3.2.5-4.2 1.4-5 2.6-5 3.8-5 5.2-4 5.2-2 5.2.9 1.3 3.5 0 5.2Z",
  C: "M0-5.2A2.45 2.45 0 0 1 1.9-1.2 2.45 2.45 0 1 1 2.7 3.5C1.8 3.5 1 3 .6 2.3.7 3.8 1.2 4.8 2.1 5.4H-2.1C-1.2 4.8-.7 3.8-.6 2.3-1 3-1.8 3.5-2.7 3.5A2.45 2.45 0 1 1-1.9-1.2 2.45 2.45 0 0 1 0-5.2Z",
  D: "M0-5.6C1.2-3.4 2.6-1.6 4.2 0 2.6 1.6 1.2 3.4 0 5.6-1.2 3.4-2.6 1.6-4.2 0-2.6-1.6-1.2-3.4 0-5.6Z",
};
// Where the pips of a number card stand, in the left, middle and right column, as shares of its height.
const COLUMNS = {
  2: [[], [0, 1], []], 3: [[], [0, 0.5, 1], []], 4: [[0, 1], [], [0, 1]], 5: [[0, 1], [0.5], [0, 1]],
  6: [[0, 0.5, 1], [], [0, 0.5, 1]], 7: [[0, 0.5, 1], [0.25], [0, 0.5, 1]],
  8: [[0, 0.5, 1], [0.25, 0.75], [0, 0.5, 1]], 9: [[0, 1 / 3, 2 / 3, 1], [0.5], [0, 1 / 3, 2 / 3, 1]],
  T: [[0, 1 / 3, 2 / 3, 1], [1 / 6, 5 / 6], [0, 1 / 3, 2 / 3, 1]],
};
// Half a court card: what is worn on the head, drawn about the middle line.
const COURT = {
  J: "M-9 0C-9-9-3-13 4-13 1-11 1-9 3-8 7-8 9-5 9 0ZM6-13C9-17 12-17 13-15 12-13 9-12 6-12Z",
  Q: "M-9 0-10-10-5.5-6-4-13 0-7 4-13 5.5-6 10-10 9 0ZM-4-15.2A1.6 1.6 0 1 0-4-12ZM4-15.2A1.6 1.6 0 1 1 4-12Z",
  K: "M-9 0-11-12-6-7-3.6-13-1.4-8.4V-12.4H-3.2V-14.4H-1.4V-16.4H1.4V-14.4H3.2V-12.4H1.4V-8.4L3.6-13 6-7 11-12 9 0Z",
};
const JESTER = "M-12 6C-11-3-13-7-16-10-9-11-6-9-4-5-4-11-2-15 0-18 2-15 4-11 4-5 6-9 9-11 16-10 13-7 11-3 12 6Z";
const KNOWN = /^([SHCD]?)([3-9TJQKA2])$|^[BR]$/;

function made(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function pip(suit, x, y, size, turned = false) {
  const turn = turned ? " rotate(180)" : "";
  return made("path", { d: PIPS[suit], transform: `translate(${x} ${y})${turn} scale(${size / 10})` });
}

function letters(text, x, y, size, more = {}) {
  const node = made("text", { x, y, "font-size": size, "text-anchor": "middle", "font-weight": 700, ...more });
  node.textContent = text;
  return node;
}

function index(rank, suit) {
  const wide = rank === "T";
  const shown = letters(wide ? "10" : rank, 9.5, 17.5, wide ? 15 : 17, wide ? { "letter-spacing": -1.6 } : {});
  return made("g", {}, shown, ...(suit ? [pip(suit, 9.5, 27, 10)] : []));
}

function turned(node) {
  return made("g", { transform: "rotate(180 32 45)" }, node);
}

function middle(rank, suit) {
  if (!suit) return [letters(rank === "T" ? "10" : rank, 36, 56, 30, { opacity: 0.28 })];
  if (rank === "A") return [made("circle", { cx: 34, cy: 46, r: 17, fill: "none", stroke: "currentColor", "stroke-width": 0.7 }), pip(suit, 34, 46, 22)];
  if (rank in COURT) return court(rank, suit);
  return COLUMNS[rank].flatMap((rows, column) => rows.map((row) => pip(suit, [23, 33.5, 44][column], 17 + 56 * row, 11.5, row > 0.5)));
}

function court(rank, suit) {
  const half = () => made("g", {},
    made("path", { d: COURT[rank], transform: "translate(34 44)" }),
    made("path", { d: "M-9 1.4H9", transform: "translate(34 44)", stroke: "#d9a520", "stroke-width": 1.4 }),
    pip(suit, 25.5, 22, 8));
  const frame = { x: 19.5, y: 13, width: 29, height: 64, rx: 2.5, fill: "#f7efd8", stroke: "currentColor", "stroke-width": 0.8 };
  return [made("rect", frame), half(), made("g", { transform: "rotate(180 34 45)" }, half())];
}

function joker(face) {
  const tall = [..."JOKER"].map((letter, place) => letters(letter, 9.5, 15 + 9.6 * place, 9.5));
  const bells = [[-16, -10], [0, -18], [16, -10]].map(([x, y]) => made("circle", { cx: x, cy: y, r: 2.4, fill: "#d9a520" }));
  const hat = made("g", { transform: "translate(38 44) scale(.95)" },
    made("path", { d: JESTER }), made("path", { d: "M-12 6H12V10.5H-12Z", fill: "#d9a520" }), ...bells,
    made("circle", { cx: 0, cy: 19, r: 7.2, fill: "none", stroke: "currentColor", "stroke-width": 1.6 }));
  return made("g", { color: face === "R" ? RED : BLACK, fill: "currentColor" }, ...tall, hat);
}

function paper() {
  return made("rect", { x: 0.6, y: 0.6, width: 62.8, height: 88.8, rx: 5.5, class: "paper" });
}

// One card as an SVG element; its title is read to those who do not see it. A text that is no card is drawn as a back.
function card(face, title = face) {
  const found = KNOWN.exec(face);
  const drawing = made("svg", { viewBox: "0 0 64 90", class: "card", role: "img", "aria-label": title });
  if (!found) drawing.append(...back());
  else if (face === "B" || face === "R") drawing.append(paper(), joker(face));
  else {
    const [, suit, rank] = found;
    const colour = suit ? (suit === "H" || suit === "D" ? RED : BLACK) : GREY;
    const ink = made("g", { color: colour, fill: "currentColor" }, index(rank, suit), turned(index(rank, suit)), ...middle(rank, suit));
    drawing.append(paper(), ink);
  }
  return drawing;
}

function back() {
  const weave = [];
  for (let x = 10; x < 60; x += 8) for (let y = 11; y < 84; y += 8) weave.push(`M${x} ${y - 3}L${x + 3} ${y}L${x} ${y + 3}L${x - 3} ${y}Z`);
  return [paper(), made("rect", { x: 4.5, y: 4.5, width: 55, height: 81, rx: 3.5, fill: "#2f5d8a" }),
    made("path", { d: weave.join(""), fill: "#7fa6cc" })];
}
