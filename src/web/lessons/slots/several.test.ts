import { describe, expect, it } from 'vitest'
import { allChosen, toggled, toggledKept } from './several.ts'

const time = (day: number) => ({ instructor_id: 'one', start_at: `2026-05-0${day} 17:00` })
const [MON, TUE, WED] = [time(4), time(5), time(6)]

describe('several times', () => {
  it('are those that are kept and the one of the form, each once and in order', () => {
    expect(allChosen({ kept: [], current: undefined })).toEqual([])
    expect(allChosen({ kept: [], current: TUE })).toEqual([TUE])
    expect(allChosen({ kept: [WED, TUE], current: MON })).toEqual([MON, TUE, WED])
    expect(allChosen({ kept: [WED, TUE], current: { ...WED } })).toEqual([TUE, WED])
  })

  it('keep the time of the form when another is added', () => {
    expect(toggled({ kept: [], current: MON }, TUE)).toEqual({ kept: [MON, TUE], current: MON })
    expect(toggled({ kept: [], current: undefined }, TUE)).toEqual({ kept: [TUE], current: TUE })
  })

  it('leave another to the form when its own is taken out, and the last one for good', () => {
    const two = { kept: [MON, TUE], current: MON }
    expect(toggled(two, MON)).toEqual({ kept: [], current: TUE })
    expect(toggled(two, TUE)).toEqual({ kept: [], current: MON })
    expect(toggled({ kept: [], current: MON }, MON)).toEqual({ kept: [], current: MON })
    expect(toggled({ kept: [MON, TUE], current: WED }, MON)).toEqual({ kept: [TUE, WED], current: WED })
  })

  it('keep the time of the form, or no longer', () => {
    expect(toggledKept({ kept: [], current: MON })).toEqual({ kept: [MON], current: MON })
    expect(toggledKept({ kept: [MON], current: MON })).toEqual({ kept: [], current: MON })
    expect(toggledKept({ kept: [MON], current: undefined })).toEqual({ kept: [MON], current: undefined })
  })
})
