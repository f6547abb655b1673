import { describe, expect, it } from 'vitest'
import { isDriven, needsTrailer } from '../../domain/lesson-vehicles.ts'
import { loadPack } from './packs.ts'

const codesOf = (entries: readonly { readonly code: string }[]) => entries.map(({ code }) => code)

describe('the vehicles of packs', () => {
  it('drives and practical tests are driven; theory, courses, seminars and office time are not', () => {
    const types = loadPack('DE', 'en').lesson_types
    expect(codesOf(types.filter((type) => !isDriven(type)))).toEqual([
      'THEORY_BASIC',
      'THEORY_SPECIFIC',
      'THEORY_EXAM',
      'SIMULATOR',
      'B96_TRAINING',
      'B196_TRAINING',
      'ASF_SESSION',
      'FES_MODULE',
      'CONSULTATION',
      'INTERNAL',
    ])
  })

  it.each([
    ['DE', ['BE', 'C1E', 'CE', 'DE', 'D1E']],
    ['PL', ['PL_BE', 'PL_CE']],
    ['GB', []],
  ])('classes of %s with a trailer are %j', (country, codes) => {
    expect(codesOf(loadPack(country, 'en').templates.filter(needsTrailer))).toEqual(codes)
  })
})
