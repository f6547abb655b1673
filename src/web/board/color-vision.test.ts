import { describe, expect, it } from 'vitest'
import lessonTypes from '../../../packs/lesson-types.json'
import { INSTRUCTOR_COLORS } from '../../domain/instructor-colors.ts'
import { shortTypeName } from '../lessons/short-types.ts'
import styles from '../ui/app.css?raw'
import { differenceOf, leastDifferenceOf, VISIONS } from './color-vision.test-support.ts'

/** The least CIEDE2000 difference at which two colours are told apart at a glance. */
const DISTINCT = 10

/** The types that fill a board. */
const USUAL = ['PRACTICE', 'RURAL', 'MOTORWAY', 'NIGHT', 'PRACTICAL_EXAM', 'THEORY_BASIC']

it('computes differences as published: none of equal colours, 100 from black to white', () => {
  for (const vision of VISIONS) {
    expect(differenceOf('#0072B2', '#0072B2', vision)).toBe(0)
    expect(differenceOf('#000000', '#FFFFFF', vision)).toBeCloseTo(100, 3)
  }
})

describe('the colours of lesson types', () => {
  const pairsOf = (types: typeof lessonTypes) =>
    types.flatMap((one, at) => types.slice(at + 1).map((other) => [one, other] as const))

  it('tell the usual types apart, whatever the colour vision', () => {
    const usual = lessonTypes.filter(({ code }) => USUAL.includes(code))
    expect(usual).toHaveLength(USUAL.length)
    for (const [one, other] of pairsOf(usual))
      expect(leastDifferenceOf(one.color, other.color), `${one.code} ${other.code}`).toBeGreaterThan(DISTINCT)
  })

  it('that are alike have another short name in German, whose boards show nothing else in front', () => {
    const short = ({ code, names }: (typeof lessonTypes)[number]) =>
      shortTypeName({ code, name: names.de }, 'de-DE')
    for (const [one, other] of pairsOf(lessonTypes))
      if (leastDifferenceOf(one.color, other.color) <= DISTINCT)
        expect(short(one), `${one.code} ${other.code}`).not.toBe(short(other))
  })
})

it('tells the colours of instructors apart, whatever the colour vision', () => {
  for (const [at, one] of INSTRUCTOR_COLORS.entries())
    for (const other of INSTRUCTOR_COLORS.slice(at + 1))
      expect(leastDifferenceOf(one, other), `${one} ${other}`).toBeGreaterThan(DISTINCT)
})

it('tells a full bar of units from one above the limit, in light and in dark', () => {
  const colors = (name: string) =>
    [...styles.matchAll(new RegExp(`--${name}: (#\\w{6})`, 'g'))].map(([, one = '']) => one).slice(0, 2)
  const [warn, bad] = [colors('warn'), colors('bad')]
  for (const [at, one] of warn.entries())
    expect(leastDifferenceOf(one, bad[at] ?? one)).toBeGreaterThan(DISTINCT)
})
