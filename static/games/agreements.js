// What those who play decide together: proposals as cards, and the forms that make and answer them.

import { copy, element, elementIfAny, part, parts } from "../site/elements.js";
import { html, reconcile, setText } from "./dom.js";
import { SIGNS } from "./offers.js";

/** @import { Answer, Page, ProposalButton, ProposalCard } from "./page.d.ts" */
/** @import { Agree, Said, Store } from "./store.d.ts" */

/** What a program says as a number: a seat, and a proposal. */
const NUMBERS = new Set(["whom", "proposal"]);

/**
 * @param {Store} store
 * @param {Agree} agree
 */
export function setUpAgreements(store, agree) {
  const box = element("proposals", HTMLElement);
  const goOn = elementIfAny("go-on", HTMLFormElement);
  const menu = element("menu", HTMLDialogElement);
  /** @type {Set<HTMLFormElement>} */
  const underWay = new Set();

  // The forms work by themselves; here they only save the page from being loaded anew.
  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || !form.classList.contains("agreement")) return;
    event.preventDefault();
    if (underWay.has(form)) return;
    underWay.add(form);
    // What comes of it is seen on the table.
    menu.close();
    form.closest("details")?.removeAttribute("open");
    await agree(saidIn(new FormData(form, submitter)));
    underWay.delete(form);
  });

  return function draw() {
    const { proposals, status, is_replaced: isReplaced } = store.page;
    const focused = box.contains(document.activeElement) || goOn?.contains(document.activeElement);
    reconcile(box, proposals.map((proposal) => [`${proposal.number}`, proposal]), makeProposal);
    proposals.forEach((proposal, place) => drawProposal(box.children[place], proposal, store.page));
    if (goOn) goOn.hidden = status !== "resting" || isReplaced;
    drawForms(store.page);
    // What was pressed is decided, and gone.
    const stillThere = box.contains(document.activeElement) || (goOn?.hidden === false && goOn.contains(document.activeElement));
    if (focused && !stillThere) element("prompt", HTMLElement).focus();
  };
}

/**
 * What a form says, but for the token, which goes its own way. A form knows no numbers.
 * @param {FormData} data
 * @returns {Said}
 */
function saidIn(data) {
  data.delete("csrfmiddlewaretoken");
  return Object.fromEntries([...data].map(([name, value]) => [name, NUMBERS.has(name) ? Number(value) : `${value}`]));
}

/** @param {ProposalCard} proposal */
function makeProposal({ number }) {
  const card = copy("proposal", HTMLElement);
  part(card, "[name=proposal]", HTMLInputElement).value = `${number}`;
  return card;
}

/**
 * Who has answered changes while somebody is about to press a button, which must stay where it is.
 * @param {Element} card
 * @param {ProposalCard} proposal
 * @param {Page} page
 */
function drawProposal(card, { words, objections, said, buttons }, { seats }) {
  setText(part(card, ".proposal-words", HTMLElement), words);
  setText(part(card, ".proposal-objections", HTMLElement), objections);
  /** @param {Answer} answer */
  const makeAnswer = ({ seat, answer, words: spoken }) =>
    html(
      "span",
      { class: "answer", "data-explain": spoken },
      html("span", { class: `log-seat seat-${seats[seat].colour}`, "aria-hidden": "true" }, seats[seat].emblem),
      html("span", { "aria-hidden": "true" }, SIGNS[answer]),
      html("span", { class: "visually-hidden" }, spoken),
    );
  reconcile(part(card, ".answers", HTMLElement), said.map((one) => [`${one.seat} ${one.answer}`, one]), makeAnswer);
  reconcile(part(card, ".proposal-buttons", HTMLElement), buttons.map((one) => [`${one.answer} ${one.words}`, one]), makeButton);
}

/** @param {ProposalButton} button */
const makeButton = ({ answer, words }) =>
  html("button", { class: answer === "agree" ? "button button-primary" : "button button-secondary", name: "wish", value: answer }, words);

/**
 * What can be proposed depends on the pace, and on who is late.
 * @param {Page} page
 */
function drawForms({ pace, removable }) {
  const options = parts(document, "#agreements option", HTMLOptionElement);
  for (const option of options) option.disabled = option.value === pace;
  // A choice that is disabled is not sent, so the form would say nothing.
  const possible = options.find(({ disabled }) => !disabled);
  if (possible && options.some(({ disabled, selected }) => disabled && selected)) possible.selected = true;
  for (const removal of parts(document, "[data-remove]", HTMLElement)) removal.hidden = !removable.includes(Number(removal.dataset.remove));
}
