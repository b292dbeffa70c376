// The page that shows a new token.

import { offerCopying } from "../site/copying.js";
import { element } from "../site/elements.js";

offerCopying("copy-token", "new-token");
// It answered a form. Whoever draws it anew wants the list, not to send that form again and make another token.
history.replaceState(null, "", element("saved", HTMLAnchorElement).href);
