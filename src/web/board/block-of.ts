/** Returns the block of a lesson or of a proposed lesson; null if it is not drawn. */
export function blockOf(id: string, within: ParentNode = document): HTMLElement | null {
  const escaped = CSS.escape(id)
  return within.querySelector(`[data-lesson="${escaped}"], [data-ghost="${escaped}"]`)
}

/** Returns the id of the lesson or proposed lesson of a block. */
export function lessonIn(block: Element | null | undefined): string | undefined {
  return block instanceof HTMLElement ? (block.dataset.lesson ?? block.dataset.ghost) : undefined
}
