// A hand on the table, step by step. Everything that is shown comes in `data`, scene by scene; what a log says is
// written with textContent only. The scene and the seat one looks from stand in the address.

const FEW = 12; // plays that could have been made, before one asks for more
const STAY = 700; // milliseconds at one scene until the server hears of it
const TICK = 1100; // milliseconds between two scenes when the hand plays itself

const ICONS = {
  first: "M4 3h2v10H4zM13 3v10L6.5 8z", back: "M11.5 3v10L4 8z", play: "M4.5 2.5v11L13 8z", pause: "M4 3h3v10H4zM9 3h3v10H9z",
  next: "M4.5 3v10L12 8z", last: "M10 3h2v10h-2zM3 3v10L9.5 8z", flag: "M3 1.5h1.6V15H3zM5 2.5h8.5L11 5.5l2.500 3H5z",
  link: "M6.7 9.300a3 3 0 0 1 0-4.200L8.800 3a3 3 0 0 1 4.200 4.200l-1 1-1.100-1.100 1-1a1.450 1.450 0 0 0-2.050-2.050L7.750 6.150a1.450 1.450 0 0 0 0 2.050zM9.300 6.700a3 3 0 0 1 0 4.200L7.200 13A3 3 0 0 1 3 8.800l1-1 1.100 1.100-1 1a1.450 1.450 0 0 0 2.050 2.050l2.100-2.100a1.450 1.450 0 0 0 0-2.050z",
  done: "M6.300 12.500 2 8.200l1.300-1.300 3 3 6.400-6.400L14 4.800z",
};

function icon(name) {
  return made("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, made("path", { d: ICONS[name], fill: "currentColor" }));
}

function element(name, kind, text, ...children) {
  const node = document.createElement(name);
  if (kind) node.className = kind;
  if (text !== null && text !== undefined && text !== "") node.textContent = text;
  node.append(...children.filter(Boolean));
  return node;
}

function fan(cards, kind = "") {
  return element("span", `fan ${kind}`, "", ...cards.map((face) => element("span", "c", "", card(face))));
}

function backs(count) {
  const shown = Math.min(count, 12);
  return element("span", "fan backs", "", ...Array.from({ length: shown }, () => element("span", "c", "", card("back"))));
}

function suitSign(suit, words) {
  if (!(suit in PIPS)) return element("span", "", words.no_trump);
  const colour = suit === "H" || suit === "D" ? RED : BLACK;
  const drawing = made("svg", { viewBox: "-6 -6.5 12 13", class: "suit" }, made("path", { d: PIPS[suit], fill: colour }));
  return element("span", "chip paperchip", "", drawing);
}

// --- the parts of the table

function seatPlate(seat, scene, data, view) {
  const player = data.seats[seat], words = data.words;
  const plate = element("div", "plate", "",
    element("span", "name", player.name), scene.landlord === seat ? element("span", "chip role", data.landlord) : null,
    element("span", "count", String(scene.left[seat]), element("small", "", words.cards)));
  const hand = scene.hands[seat];
  const open = hand !== null && (view === null || view === seat);
  const held = element("div", "held", "", open ? fan(hand) : backs(scene.left[seat]));
  const box = element("div", `seat${scene.seat === seat ? " acting" : ""}`, "", plate, held, lying(seat, scene, data));
  box.setAttribute("aria-label", player.name);
  return box;
}

function lying(seat, scene, data) {
  const cards = scene.table[seat], acted = scene.seat === seat;
  const box = element("div", `lying${acted ? " now" : ""}${scene.owner === seat ? " best" : ""}`);
  if (scene.phase === "auction" && acted) box.append(element("span", "said", scene.said));
  else if (cards && cards.length) {
    if (acted && scene.thrown) box.append(fan(scene.thrown, "failed"));
    box.append(fan(cards));
    if (acted && scene.reading) box.append(element("span", "chip", scene.reading));
  } else if (cards) box.append(element("span", "said dim", data.words.pass));
  return box;
}

function middleOf(scene, data, state) {
  const words = data.words, box = element("div", "middle");
  if (data.bottom && scene.bottom_shown) box.append(element("div", "line", "", element("span", "label", words.bottom), fan(data.bottom, "small")));
  if (data.trump && scene.landlord !== null && scene.landlord !== undefined) box.append(element("div", "line", "", element("span", "label", words.trump), suitSign(data.trump, words)));
  if (scene.trick) {
    box.append(element("div", "line", "", element("span", "label", scene.trick_title), element("b", "", `${scene.trick_points} ${words.points}`)));
    box.append(element("div", "line", "", element("span", "label", words.won), element("b", "", `${scene.points} / ${scene.bid}`)));
  }
  if (scene.phase === "play" && scene.owner !== null && !scene.trick) {
    box.append(element("div", "line", "", element("span", "label", words.standing), element("b", "", scene.stands ? `${data.seats[scene.owner].name} · ${scene.stands}` : data.seats[scene.owner].name)));
  }
  if (scene.worth) box.append(worth(scene.worth, words));
  return box;
}

function worth(terms, words) {
  const box = element("div", "worth");
  terms.terms.forEach((term, place) => {
    if (place) box.append(element("span", "times", "×"));
    box.append(element("span", "term", "", element("small", "", term.name), element("b", "", String(term.value))));
  });
  if (terms.total !== null) box.append(element("span", "times", "="), element("span", "term total", "", element("small", "", terms.title), element("b", "", String(terms.total))));
  return box;
}

// Where each seat sits as seen from one: play goes round anticlockwise, so the next seat is to the right.
function places(count, from) {
  const sides = { 2: ["self", "top"], 3: ["self", "right", "left"], 4: ["self", "right", "top", "left"] }[count];
  return Array.from({ length: count }, (_, seat) => (sides ? sides[(seat - from + count) % count] : "top"));
}

// --- what is said of a scene

function report(scene, data, state, again) {
  const words = data.words, box = element("div", "report");
  const what = element("div", "what", "", element("b", "", scene.title), element("span", "", scene.told));
  if (!scene.judged) what.append(element("span", "chip unjudged", words.unjudged));
  box.append(what);
  for (const found of scene.findings) {
    box.append(element("div", `finding ${found.severity}`, "", element("b", "", found.code), element("span", "", ` ${found.title}`), element("div", "", found.message)));
  }
  const others = scene.phase === "play" && state.view !== null && state.view !== scene.seat;
  if (scene.options && !others) box.append(offers(scene, words, state, again));
  else if (scene.not_told || (scene.options && others)) box.append(element("div", "dim", words.not_told));
  else if (scene.more) box.append(element("div", "dim", words.too_many));
  return box;
}

function offers(scene, words, state, again) {
  const box = element("div", "offers");
  if (!scene.options.length) {
    box.append(element("span", "dim", words.must_pass));
    return box;
  }
  const same = (one, other) => one.map((face) => (scene.trick ? face : face.slice(-1))).sort().join() === other.map((face) => (scene.trick ? face : face.slice(-1))).sort().join();
  const all = state.all === scene.key, shown = all ? scene.options : scene.options.slice(0, FEW);
  box.append(element("div", "dim", scene.lead ? words.could_lead : words.could));
  for (const option of shown) {
    const chosen = same(option.cards, scene.cards || []);
    const offer = element("span", `offer${chosen ? " chosen" : ""}`, "", fan(option.cards, "small"), option.reading ? element("small", "", option.reading) : null);
    box.append(offer);
  }
  if (!all && scene.options.length > FEW) {
    const more = element("button", "more", `+${scene.options.length - FEW}`);
    more.onclick = () => { state.all = scene.key; again(); };
    box.append(more);
  } else if (scene.more) box.append(element("span", "dim", words.and_more));
  return box;
}

// --- moving through the scenes

function track(data, state, go) {
  const box = element("div", "track");
  data.scenes.forEach((scene, place) => {
    const kinds = ["tick", scene.phase, place === state.place ? "here" : "", scene.bomb ? "bomb" : "", scene.judged ? "" : "beyond"];
    if (scene.findings.length) kinds.push(scene.findings.some((found) => found.severity === "fault") ? "fault" : "note");
    const tick = element("button", kinds.filter(Boolean).join(" "));
    tick.title = scene.title;
    tick.setAttribute("aria-label", scene.title);
    tick.tabIndex = -1;
    tick.onclick = () => go(place);
    box.append(tick);
  });
  return box;
}

function controls(data, state, go, again) {
  const words = data.words, last = data.scenes.length - 1;
  const button = (title, action, ...inside) => {
    const made = element("button", "", "", ...inside);
    Object.assign(made, { title, onclick: action, disabled: !action });
    made.setAttribute("aria-label", title);
    return made;
  };
  const to = (place) => (place === undefined || place === state.place || place < 0 || place > last ? null : () => go(place));
  const found = data.scenes.map((scene, place) => (scene.findings.length ? place : -1)).filter((place) => place >= 0);
  const after = found.find((place) => place > state.place), before = found.findLast((place) => place < state.place);
  const box = element("div", "controls", "",
    button(words.first, to(0), icon("first")),
    button(words.back, to(state.place - 1), icon("back")),
    button(state.timer ? words.stop : words.start, last ? () => toggle(data, state, go, again) : null, icon(state.timer ? "pause" : "play")),
    button(words.next, to(state.place + 1), icon("next")),
    button(words.last, to(last), icon("last")),
    element("span", "where", `${state.place + 1} / ${last + 1}`));
  if (found.length) {
    box.append(button(words.fault_before, to(before), icon("back"), icon("flag")), button(words.fault_after, to(after), icon("flag"), icon("next")));
  }
  const seats = element("select", "");
  seats.setAttribute("aria-label", words.view);
  seats.append(new Option(words.all_open, ""), ...data.seats.map((player, seat) => new Option(`${words.seen_by} ${player.name}`, String(seat))));
  seats.value = state.view === null ? "" : String(state.view);
  seats.onchange = () => { state.view = seats.value === "" ? null : Number(seats.value); remember(data, state, 0); again(); };
  const link = button(words.link, () => { navigator.clipboard?.writeText(window.location.href); link.replaceChildren(icon("done")); }, icon("link"));
  box.append(seats, link);
  return box;
}

function toggle(data, state, go, again) {
  if (state.timer) { clearInterval(state.timer); state.timer = null; again(); return; }
  if (state.place === data.scenes.length - 1) state.place = 0;
  state.timer = setInterval(() => {
    if (state.place >= data.scenes.length - 1) { clearInterval(state.timer); state.timer = null; again(); } else go(state.place + 1, true);
  }, TICK);
  again();
}

// The address at once, so that it can be copied; the server when one stays at a scene, so that it writes the same, and
// at once where one looks from another seat: until it answers, what was not sent is drawn as backs.
function remember(data, state, stay = STAY) {
  const move = data.scenes[state.place].key, seat = state.view === null ? "" : String(state.view);
  const url = new URL(window.location.href);
  url.searchParams.set("move", move);
  if (seat) url.searchParams.set("seat", seat);
  else url.searchParams.delete("seat");
  window.history.replaceState(window.history.state, "", url);
  state.untold = { move, seat };
  tellSoon(state, stay);
}

function tellSoon(state, stay = STAY) {
  clearTimeout(state.told);
  state.told = setTimeout(() => {
    state.tell("shown", state.untold);
    state.untold = null;
  }, stay);
}

const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

function typing(event) {
  const target = event.composedPath()[0];
  return event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable
    || target.closest?.("[role=grid],[role=listbox],[role=slider],[role=tablist]");
}

export default function (component) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".replay");
  const last = data.scenes.length - 1;
  if (root.state?.id !== data.id) {
    if (root.state?.timer) clearInterval(root.state.timer);
    const place = data.scenes.findIndex((scene) => scene.key === data.move);
    root.state = { id: data.id, place: place < 0 ? 0 : place, view: data.view, timer: null, all: null };
  }
  const state = root.state;
  state.place = Math.min(state.place, last);
  state.tell = component.setStateValue;
  if (state.untold) tellSoon(state); // the page was drawn anew before it was told

  const go = (place, itself = false) => {
    if (!itself && state.timer) { clearInterval(state.timer); state.timer = null; }
    if (place === undefined) return;
    state.place = Math.max(0, Math.min(last, place));
    remember(data, state);
    draw();
  };
  const draw = () => {
    const scene = data.scenes[state.place], from = state.view ?? 0, count = data.seats.length;
    const table = element("div", `table seats${count}`);
    const sides = places(count, from);
    data.seats.forEach((_, seat) => {
      const box = seatPlate(seat, scene, data, state.view);
      box.classList.add(sides[seat]);
      table.append(box);
    });
    table.append(middleOf(scene, data, state));
    const focused = root.contains(parentElement.activeElement ?? document.activeElement);
    root.replaceChildren(table, controls(data, state, go, draw), track(data, state, go), report(scene, data, state, draw));
    if (focused) root.focus({ preventScroll: true });
  };
  const pressed = (event) => {
    if (!(event.key in KEYS) || typing(event) || !root.isConnected) return;
    event.preventDefault();
    go(Math.max(0, Math.min(last, state.place + KEYS[event.key])));
  };
  root.tabIndex = 0;
  const release = () => document.removeEventListener("keydown", pressed);
  root.release?.(); // an answer of the server draws anew without ending what was drawn before
  root.release = release;
  document.addEventListener("keydown", pressed);
  draw();
  return () => {
    release();
    clearInterval(state.timer);
    clearTimeout(state.told);
  };
}
