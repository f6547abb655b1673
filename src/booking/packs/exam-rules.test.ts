import { expect, it } from 'vitest'
import { countries, examRulesOf, loadPack } from './packs.ts'

it.each(countries())('the classes without a theory test are templates in the pack of %s', (country) => {
  const codes = loadPack(country, 'en').templates.map(({ code }) => code)
  expect(codes).toEqual(expect.arrayContaining([...examRulesOf(country).without_theory_test]))
})
