/** Creates an element with text (not HTML) or elements in it. */
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

/** Whether the focused element takes keys. */
export function isTextInput(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [role="combobox"]') !== null
}
