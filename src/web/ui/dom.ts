/** Creates an element with children: elements, or text that is not parsed as HTML. */
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

/** Whether the element is a field that handles typed keys. */
export function isTextInput(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [role="combobox"]') !== null
}
