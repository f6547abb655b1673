/** A number of things in words, such as `1 lesson` and `1,234 lessons`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
