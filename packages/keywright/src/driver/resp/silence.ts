/** A server does not answer in time: it may be gone, or only busy. */
export class Silence extends Error {}
