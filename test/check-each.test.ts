import { expect, it } from 'vitest'
import { checkEach } from './support/check-each.ts'

it('a check of many cases names each case that fails', async () => {
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

it('a check of no case is no check', async () => {
  await expect(checkEach([], () => undefined)).rejects.toThrow('there is no case to check')
})
