/* Masks: which texts a codec can make, written so that two patterns can be
 * compared before any key exists.
 *
 *   #   a digit              *   anything that is allowed in a segment
 *   x+  one or more of x     \x  the character x itself
 *
 * "####-##" is a month. A mask may say more than the codec takes ("2024-99"),
 * never less: what the masks show to be apart is apart. */

/** The mask that is this text and nothing else. */
export const literalMask = (text: string): string => text.replace(/[#*+\\]/g, "\\$&")

/** The longest segment that can be compared: longer ones are refused. */
export const maxSegment = 1024
