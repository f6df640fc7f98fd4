import type { TreeNode, TreePattern } from "../../api.ts"

/** The pattern with this name, wherever it is in the tree. */
export function findPattern(tree: readonly TreeNode[], name: string): TreePattern | undefined {
  for (const node of tree) {
    if (node.node === "pattern") {
      if (node.name === name) return node
      continue
    }
    const found = findPattern(node.children, name)
    if (found) return found
  }
  return undefined
}

/** `"?0/session:{}"` names keys that no pattern owns. */
export const unknownPattern = (name: string): string | undefined =>
  name.startsWith("?") ? name.slice(name.indexOf("/") + 1) : undefined
