/* Shared memory in which the worker leaves signs of life, so that the other
 * thread sees them without a message, even while WebAssembly runs. */

/** Places in the array. */
export const signal = {
  /** One more at each entry into WebAssembly and at each exit: odd while it runs. */
  steps: 0,
  /** One more at each read, write and command, so that a long load, save or pipeline visibly makes progress. */
  moved: 1,
  /** The number of the call that returned last, for a thread that cannot take messages any more. */
  returned: 2,
  /** Not 0: the server shall end in the middle of what it does. Set by the other thread. */
  interrupt: 3,
}

export const createSignals = () => new Int32Array(new SharedArrayBuffer(16))
