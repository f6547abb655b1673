/** Whether the element is a field that handles typed keys. */
export function isTextInput(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [role="combobox"]') !== null
}
