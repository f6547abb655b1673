import { expect, it } from 'vitest'
import { INSTRUCTOR_COLORS, nextInstructorColor } from './instructor-colors.ts'

it('assigns six colours in order and gives the seventh instructor the first again', () => {
  const instructors: { color: string }[] = []
  for (let count = 0; count < 7; count++) instructors.push({ color: nextInstructorColor(instructors) })
  expect(instructors.map(({ color }) => color)).toEqual([...INSTRUCTOR_COLORS, INSTRUCTOR_COLORS[0]])
})

it('matches colours in either case and ignores colours outside the palette', () => {
  expect(nextInstructorColor([{ color: '#0072b2' }, { color: '#123456' }])).toBe(INSTRUCTOR_COLORS[1])
})
