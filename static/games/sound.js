// Short sounds, made on the spot. They are off until a player switches them on.

let audio = null;

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
const YOUR_TURN = [[784, 0.1], [1047, 0.16]];
const TIME_IS_SHORT = [[880, 0.12], [660, 0.12], [880, 0.12], [660, 0.2]];

export function play(entries, { viewer }) {
  playTones(entries.flatMap(({ event }) => (event.kind === "turn_began" && event.seat === viewer ? YOUR_TURN : (SOUNDS[event.kind] ?? []))));
}

export const warn = () => playTones(TIME_IS_SHORT);

function playTones(tones) {
  audio ??= new AudioContext();
  let start = audio.currentTime;
  for (const [pitch, length] of tones) start = tone(pitch, length, start);
}

function tone(pitch, length, start) {
  const [oscillator, volume] = [audio.createOscillator(), audio.createGain()];
  oscillator.frequency.value = pitch;
  volume.gain.setValueAtTime(0.12, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
  return start + length;
}
