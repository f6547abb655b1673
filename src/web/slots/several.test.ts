import { describe, expect, it } from 'vitest'
import { allChosen, toggled, toggledKept } from './several.ts'

const time = (day: number) => ({ instructor_id: 'one', start_at: `2026-05-0${day} 17:00` })
const [MON, TUE, WED] = [time(4), time(5), time(6)]

describe('several chosen times', () => {
  it('are the kept times and that of the form, without duplicates and in order', () => {
    expect(allChosen({ kept: [], current: undefined })).toEqual([])
    expect(allChosen({ kept: [], current: TUE })).toEqual([TUE])
    expect(allChosen({ kept: [WED, TUE], current: MON })).toEqual([MON, TUE, WED])
    expect(allChosen({ kept: [WED, TUE], current: { ...WED } })).toEqual([TUE, WED])
  })

  it('keep the time of the form when another time is added', () => {
    expect(toggled({ kept: [], current: MON }, TUE)).toEqual({ kept: [MON, TUE], current: MON })
    expect(toggled({ kept: [], current: undefined }, TUE)).toEqual({ kept: [TUE], current: TUE })
  })

  it('give the form another time when its own is removed, but keep the last one', () => {
    const two = { kept: [MON, TUE], current: MON }
    expect(toggled(two, MON)).toEqual({ kept: [], current: TUE })
    expect(toggled(two, TUE)).toEqual({ kept: [], current: MON })
    expect(toggled({ kept: [], current: MON }, MON)).toEqual({ kept: [], current: MON })
    expect(toggled({ kept: [MON, TUE], current: WED }, MON)).toEqual({ kept: [TUE, WED], current: WED })
  })

  it('toggle whether the time of the form is kept', () => {
    expect(toggledKept({ kept: [], current: MON })).toEqual({ kept: [MON], current: MON })
    expect(toggledKept({ kept: [MON], current: MON })).toEqual({ kept: [], current: MON })
    expect(toggledKept({ kept: [MON], current: undefined })).toEqual({ kept: [MON], current: undefined })
  })
})
