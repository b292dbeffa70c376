// What the server has written for whatever only this page knows: what has been pressed, what has been counted.

import { element } from "../site/elements.js";

/** @import { Phrases } from "./page.d.ts" */

/** @type {Phrases} */
export const phrases = JSON.parse(element("phrases", HTMLScriptElement).text);
