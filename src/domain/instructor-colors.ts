/** Colours distinguishable with any colour vision (Okabe and Ito, 2008), without yellow and black. */
export const INSTRUCTOR_COLORS = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#56B4E9', '#E69F00'] as const

/** Returns the palette colour that the fewest instructors have. */
export function nextInstructorColor(instructors: readonly { readonly color: string }[]): string {
  const used = instructors.map(({ color }) => color.toUpperCase())
  const uses = (color: string) => used.filter((one) => one === color).length
  return INSTRUCTOR_COLORS.reduce((best, color) => (uses(color) < uses(best) ? color : best))
}
