/** Returns a count with its noun, such as `1 lesson` or `1,234 lessons`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
