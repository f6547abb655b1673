/** An element with text or elements in it; text stays text. */
export function element(
  tag: 'div' | 'span' | 'button',
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  made.append(...children)
  return made
}

/** Whether keys belong to what has the focus. */
export function takesText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [role="combobox"]') !== null
}
