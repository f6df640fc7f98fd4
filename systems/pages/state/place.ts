/* Where this page is served: the server says it in the page itself. */

const { base: given = "", system: named } = document.documentElement.dataset

/** The prefix of the system's paths: `"/shop"`, or `""` where it is served alone. */
export const base = given
/** Undefined on pages that belong to no system. */
export const system = named
