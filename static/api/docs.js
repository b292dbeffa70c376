// A link to an address or a type leads to it opened.

function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
}

openTarget();
addEventListener("hashchange", openTarget);
