// Picking other rules shows their options. What the host has changed is kept: everything that differs from the rules shown before.

const form = document.getElementById("options");
const shown = form.elements.shown_preset;

const valuesOf = (preset) => JSON.parse(form.querySelector(`[name="preset"][value="${preset}"]`).dataset.values);

function show(preset) {
  const before = valuesOf(shown.value);
  for (const [name, value] of Object.entries(valuesOf(preset))) {
    const control = form.elements[name];
    if (control.value === before[name]) control.value = value;
    for (const choice of form.querySelectorAll(`input[name="${name}"], [name="${name}"] > option`)) {
      choice.classList.toggle("by-the-book", choice.value === value);
    }
  }
  shown.value = preset;
}

form.addEventListener("change", (event) => {
  if (event.target.name === "preset") show(event.target.value);
});
// A browser that goes back to this page may have kept what was picked.
show(form.elements.preset.value);
