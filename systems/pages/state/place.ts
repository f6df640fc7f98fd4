/* Where this page is served: the server says it in the page itself. */

const { base: given = "", system: named } = document.documentElement.dataset

/** What stands before the system's paths: `"/shop"`, or `""` where it is served alone. */
export const base = given
/** Undefined on pages that belong to no system. */
export const system = named
