// Short sounds, made on the spot. They are off until a player switches them on.

/**
 * A tone: its pitch in hertz, and how many seconds it lasts.
 * @typedef {[pitch: number, length: number]} Tone
 */

/** @type {AudioContext | undefined} */
let audio;

/** @type {Record<string, Tone[] | undefined>} */
const SOUNDS = {
  rolled: [[180, 0.05], [240, 0.05], [300, 0.08]],
  built_road: [[330, 0.09]],
  built_settlement: [[392, 0.09], [523, 0.12]],
  built_city: [[392, 0.09], [523, 0.09], [659, 0.14]],
  moved_robber: [[140, 0.2]],
  offered: [[587, 0.07], [587, 0.07]],
  traded: [[659, 0.08], [784, 0.1]],
  won: [[523, 0.12], [659, 0.12], [784, 0.12], [1047, 0.3]],
};
/** @type {Tone[]} */
const YOUR_TURN = [[784, 0.1], [1047, 0.16]];
/** @type {Tone[]} */
const TIME_IS_SHORT = [[880, 0.12], [660, 0.12], [880, 0.12], [660, 0.2]];

/**
 * @param {{ event: { kind: string, seat: number } }[]} entries of the log
 * @param {{ viewer: number | null }} page
 */
export function play(entries, { viewer }) {
  playTones(entries.flatMap(({ event }) => (event.kind === "turn_began" && event.seat === viewer ? YOUR_TURN : (SOUNDS[event.kind] ?? []))));
}

export const warn = () => playTones(TIME_IS_SHORT);

/** @param {Tone[]} tones */
function playTones(tones) {
  audio ??= new AudioContext();
  let start = audio.currentTime;
  for (const [pitch, length] of tones) start = tone(audio, pitch, length, start);
}

/**
 * @param {AudioContext} context
 * @param {number} pitch
 * @param {number} length
 * @param {number} start
 * @returns {number} when it ends
 */
function tone(context, pitch, length, start) {
  const [oscillator, volume] = [context.createOscillator(), context.createGain()];
  oscillator.frequency.value = pitch;
  volume.gain.setValueAtTime(0.12, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
  return start + length;
}
