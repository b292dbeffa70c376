// Picking other rules shows their options and their pace, and picking another pace its times. What the host has
// changed is kept: everything that differs from the rules, or the pace, shown before.

const form = document.getElementById("options");
const { shown_preset: shownRules, shown_pace: shownPace } = form.elements;

const radio = (name, value) => form.querySelector(`[name="${name}"][value="${value}"]`);
const valuesOf = (name, value) => JSON.parse(radio(name, value).dataset.values);

function showRules(preset) {
  const before = valuesOf("preset", shownRules.value);
  const { pace, ...options } = valuesOf("preset", preset);
  for (const [name, value] of Object.entries(options)) {
    const control = form.elements[name];
    if (control.value === before[name]) control.value = value;
    for (const choice of form.querySelectorAll(`input[name="${name}"], [name="${name}"] > option`)) {
      choice.classList.toggle("by-the-book", choice.value === value);
    }
  }
  shownRules.value = preset;
  const hasOwnTimes = form.querySelector(".time:not(.by-the-book)") !== null;
  if (form.elements.pace.value === before.pace && !hasOwnTimes) {
    radio("pace", pace).checked = true;
    showTimes(pace);
  }
}

function showTimes(pace) {
  // Without a clock there is nothing to show; the times wait for the next pace.
  if (!pace) return;
  const { bounds: boundsBefore, ...before } = valuesOf("pace", shownPace.value);
  const { bounds, ...times } = valuesOf("pace", pace);
  for (const [name, usual] of Object.entries(times)) {
    const input = form.elements[name];
    // Seconds are no time for a game over days, nor days for one sitting.
    if (input.value === before[name] || bounds !== boundsBefore) input.value = usual;
    document.getElementById(`usual-${name}`).textContent = `usually ${usual}`;
    mark(input, usual);
  }
  document.getElementById("clock-bounds").textContent = bounds;
  radio("pace", shownPace.value).classList.remove("shown");
  radio("pace", pace).classList.add("shown");
  shownPace.value = pace;
}

function mark(input, usual) {
  input.value = input.value.trim() || usual;
  input.classList.toggle("by-the-book", input.value === usual);
}

form.addEventListener("change", ({ target }) => {
  if (target.name === "preset") showRules(target.value);
  if (target.name === "pace") showTimes(target.value);
  if (target.matches(".time")) mark(target, valuesOf("pace", shownPace.value)[target.name]);
});
// A browser that goes back to this page brings back what was picked, and only once the page is there.
addEventListener("pageshow", () => {
  showRules(form.elements.preset.value);
  showTimes(form.elements.pace.value);
});
