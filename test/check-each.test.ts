import { expect, it } from 'vitest'
import { checkEach } from './support/check-each.ts'

it('checkEach names every failing case', async () => {
  const isEven = async (value: number) => expect(value % 2).toBe(0)
  await checkEach([['two', 2]], isEven)
  const failing = checkEach(
    [
      ['one', 1],
      ['two', 2],
      ['three', 3],
    ],
    isEven,
  )
  await expect(failing).rejects.toThrow(/^2 of 3 cases failed:\n- one: expected 1 .*\n- three: expected 1/s)
})

it('checkEach rejects an empty list of cases', async () => {
  await expect(checkEach([], () => undefined)).rejects.toThrow('there is no case to check')
})
