// Short sounds, made on the spot. A browser lets a page sound only once somebody has pressed something on it.

/** @import { Page } from "./page.d.ts" */

/**
 * Part of a sound: how it is made, its pitch in hertz, how many seconds it rings, when the next part begins, how loud it is.
 * @typedef {[wave: "sine" | "triangle" | "noise", pitch: number, length: number, next: number, volume: number]} Part
 */

/** @type {Part[]} */
const CARD = [["noise", 5200, 0.07, 0.09, 0.35]];
/** @type {Part[]} */
const DICE = [
  ["noise", 2400, 0.05, 0.07, 0.7],
  ["noise", 3100, 0.04, 0.06, 0.5],
  ["noise", 2100, 0.05, 0.09, 0.7],
  ["noise", 2800, 0.04, 0.11, 0.5],
  ["noise", 2300, 0.05, 0.13, 0.6],
  ["noise", 1800, 0.07, 0.2, 0.8],
];
/** @type {Part[]} */
const PIECE = [["sine", 190, 0.12, 0, 0.9], ["noise", 900, 0.05, 0.14, 0.6]];
/** @type {Part[]} */
const AWARD = [["triangle", 523, 0.25, 0.1, 0.5], ["triangle", 659, 0.25, 0.1, 0.5], ["triangle", 784, 0.4, 0.3, 0.5]];
/** @type {Part[]} */
const YOUR_TURN = [["triangle", 659, 0.35, 0.16, 0.7], ["triangle", 988, 0.6, 0.4, 0.7]];
/** @type {Part[]} */
const KNOCK = [["sine", 240, 0.1, 0.14, 1], ["sine", 240, 0.12, 0.2, 1]];
/** @type {Part[]} */
const TIME_IS_SHORT = [["triangle", 880, 0.18, 0.16, 0.7], ["triangle", 660, 0.18, 0.16, 0.7], ["triangle", 880, 0.18, 0.16, 0.7], ["triangle", 660, 0.3, 0.3, 0.7]];

/** @type {Record<string, Part[] | undefined>} */
const SOUNDS = {
  rolled: DICE,
  built_road: PIECE,
  built_settlement: PIECE,
  built_city: [...PIECE, ...PIECE],
  moved_robber: [["sine", 98, 0.5, 0.12, 1], ["sine", 73, 0.6, 0.3, 1]],
  stole: CARD,
  discarded: CARD,
  bought_card: CARD,
  traded: [...CARD, ...CARD],
  traded_with_bank: [...CARD, ...CARD],
  longest_road: AWARD,
  largest_army: AWARD,
  won: [...AWARD, ["triangle", 1047, 0.9, 0.6, 0.5]],
};

// Of all that happened while somebody was away, the last is enough.
const NEWEST = 4;
const VOLUME = 0.22;

/** @type {AudioContext | undefined} */
let audio;
/** @type {GainNode | undefined} */
let master;
let isOn = () => false;

/** @param {() => boolean} isWanted */
export function setUpSounds(isWanted) {
  isOn = isWanted;
  // A finger's press counts for the browser when it ends, the mouse's by then too.
  for (const name of ["pointerup", "keydown"]) addEventListener(name, wake, { capture: true });
}

// With each press, as a phone may have silenced the page meanwhile. A browser that is asked earlier complains.
function wake() {
  if (!isOn() || !navigator.userActivation.hasBeenActive) return;
  audio ??= new AudioContext();
  // Where a phone does not let it go on yet, the next press asks again.
  if (audio.state !== "running") audio.resume().catch(() => {});
}

// Also what sounds just now follows the switch.
export function followSwitch() {
  wake();
  if (master) master.gain.value = isOn() ? VOLUME : 0;
}

/**
 * @param {Page} page
 * @param {boolean} isNewTurn
 */
export function play({ log, viewer, active }, isNewTurn) {
  const isOwnTurn = isNewTurn && active === viewer;
  const isAsked = log.some(({ event }) => event.kind === "offered" && viewer !== null && event.to?.includes(viewer));
  // Whoever does something else meanwhile is called, and hears no more than that.
  const happened = document.hidden ? [] : log.slice(-NEWEST).flatMap(({ event, gains }) => [SOUNDS[event.kind], gains.length ? CARD : undefined]);
  playParts([...new Set([...happened, isAsked ? KNOCK : undefined, isOwnTurn ? YOUR_TURN : undefined])].flatMap((sound) => sound ?? []));
}

export const warn = () => playParts(TIME_IS_SHORT);

/** @param {Part[]} sound */
function playParts(sound) {
  if (!isOn() || !audio) return;
  // What was stopped, as by a call on a phone, would play all it was given when it goes on; what only begins is in time.
  if (audio.state !== "running" && audio.currentTime > 0) return;
  let start = audio.currentTime;
  for (const part of sound) {
    ring(audio, part, start);
    start += part[3];
  }
}

/**
 * It swells for a moment, and fades.
 * @param {AudioContext} context
 * @param {Part} part
 * @param {number} start
 */
function ring(context, [wave, pitch, length, , volume], start) {
  const source = wave === "noise" ? noise(context, pitch) : tone(context, wave, pitch);
  const envelope = new GainNode(context, { gain: 0 });
  envelope.gain.setValueAtTime(0.0001, start);
  envelope.gain.exponentialRampToValueAtTime(volume, start + 0.012);
  envelope.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.end.connect(envelope).connect(loudness(context));
  source.start.start(start);
  source.start.stop(start + length);
}

/** @param {AudioContext} context */
function loudness(context) {
  if (!master) {
    master = new GainNode(context, { gain: VOLUME });
    master.connect(context.destination);
  }
  return master;
}

/**
 * @param {AudioContext} context
 * @param {OscillatorType} wave
 * @param {number} pitch
 */
function tone(context, wave, pitch) {
  const source = new OscillatorNode(context, { type: wave, frequency: pitch });
  return { start: source, end: source };
}

/**
 * A rattle or a rustle: noise around a pitch.
 * @param {AudioContext} context
 * @param {number} pitch
 */
function noise(context, pitch) {
  const buffer = context.createBuffer(1, context.sampleRate / 5, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place++) samples[place] = 2 * Math.random() - 1;
  const source = new AudioBufferSourceNode(context, { buffer });
  return { start: source, end: source.connect(new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 1.2 })) };
}
