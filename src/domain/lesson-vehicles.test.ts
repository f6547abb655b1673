import { describe, expect, it } from 'vitest'
import {
  besideUsual,
  type Fleet,
  type FleetVehicle,
  isDriven,
  needsTrailer,
  type VehicleUse,
  vehiclesAfter,
  vehiclesFor,
} from './lesson-vehicles.ts'

const vehicle = (id: string, part: Partial<FleetVehicle> = {}): FleetVehicle => ({
  id,
  kind: 'car',
  active: true,
  license_classes: [],
  ...part,
})
const fleetOf = (...vehicles: readonly FleetVehicle[]): Fleet => new Map(vehicles.map((one) => [one.id, one]))
const CARS = [vehicle('golf'), vehicle('polo'), vehicle('old', { active: false })]
const TRAILER = vehicle('trailer', { kind: 'trailer', license_classes: ['BE'] })
const CAR_TRAILER = fleetOf(...CARS, TRAILER)

const drive = { category: 'practical', counts_toward_legal_minutes: true }
const theory = { category: 'theory', counts_toward_legal_minutes: false }
const classOf = (license_class: string, code = license_class) => ({ code, license_class })
const use = (usual_vehicle_id: string | null, part: Partial<VehicleUse> = {}): VehicleUse => ({
  usual_vehicle_id,
  lesson_type: drive,
  student_class: classOf('B'),
  ...part,
})
const BE = { student_class: classOf('BE') }

describe('driven lesson types', () => {
  it.each([
    ['practical', true, true],
    ['special', true, true],
    ['practical_exam', true, true],
    ['seminar', true, true],
    ['seminar', false, false],
    ['theory', false, false],
    ['theory_exam', false, false],
    ['simulator', false, false],
    ['course', false, false],
    ['internal', false, false],
  ])('%s that count as worked time (%s) are driven: %s', (category, counts_toward_legal_minutes, driven) => {
    expect(isDriven({ category, counts_toward_legal_minutes })).toBe(driven)
  })
})

describe('classes with a trailer', () => {
  it.each([
    ['BE', 'BE', true],
    ['C1E', 'C1E', true],
    ['CE', 'CE', true],
    ['CE', 'PL_CE', true],
    ['D1E', 'D1E', true],
    ['DE', 'DE', true],
    ['CE', 'C_CE_JOINT', false],
    ['C1E', 'C1_C1E_JOINT', false],
    ['B', 'B96', false],
    ['T', 'T', false],
  ])('class %s of the template %s needs one: %s', (license_class, code, needed) => {
    expect(needsTrailer(classOf(license_class, code))).toBe(needed)
  })
})

describe('the vehicles of a new lesson', () => {
  const otherTrailer = vehicle('other trailer', { kind: 'trailer' })
  const bike = vehicle('bike', { kind: 'motorcycle', license_classes: ['A'] })
  const onlyB = vehicle('only b', { license_classes: ['B'] })
  it.each<[string, VehicleUse, readonly FleetVehicle[], readonly string[], readonly string[]]>([
    ["the instructor's usual one", use('golf'), CARS, [], ['golf']],
    ['none without a usual one', use(null), CARS, [], []],
    ['none if the usual one is not in use', use('old'), CARS, [], []],
    ['none if the usual one is deleted', use('gone'), CARS, [], []],
    ['none for theory', use('golf', { lesson_type: theory }), CARS, [], []],
    ['the usual one if the type is unknown', use('golf', { lesson_type: undefined }), CARS, [], ['golf']],
    ['the only trailer beside it', use('golf', BE), [...CARS, TRAILER], [], ['golf', 'trailer']],
    ['the only trailer without a usual one', use(null, BE), [...CARS, TRAILER], [], ['trailer']],
    ['no trailer of two', use('golf', BE), [...CARS, TRAILER, otherTrailer], [], ['golf']],
    [
      'no trailer that is not in use',
      use('golf', BE),
      [...CARS, { ...TRAILER, active: false }],
      [],
      ['golf'],
    ],
    [
      'no trailer of another class',
      use('golf', { student_class: classOf('CE') }),
      [...CARS, TRAILER],
      [],
      ['golf'],
    ],
    ['no trailer for another class', use('golf'), [...CARS, TRAILER], [], ['golf']],
    [
      'a trailer chosen by hand in place of the usual one',
      use('golf', BE),
      [...CARS, TRAILER],
      ['x', 'trailer'],
      ['golf', 'x', 'trailer'],
    ],
    [
      'the only one of the class if the usual one does not suit it',
      use('only b', { student_class: classOf('A') }),
      [onlyB, bike, TRAILER],
      [],
      ['bike'],
    ],
    [
      'the usual one although it does not suit, if there is no other',
      use('only b', { student_class: classOf('A') }),
      [onlyB, ...CARS],
      [],
      ['only b'],
    ],
    [
      'the usual one although it does not suit, if there are several others',
      use('only b', { student_class: classOf('A') }),
      [onlyB, bike, { ...bike, id: 'another' }],
      [],
      ['only b'],
    ],
    ['three at most', use('golf', BE), [...CARS, TRAILER], ['a', 'b'], ['golf', 'trailer', 'a']],
  ])('are %s', (_, wanted, vehicles, beside, expected) => {
    expect(vehiclesFor(wanted, fleetOf(...vehicles), beside)).toEqual(expected)
  })
})

describe('the vehicles of a lesson after a change', () => {
  it.each<[string, readonly string[], VehicleUse, VehicleUse, readonly string[]]>([
    ['the usual one follows the instructor', ['golf'], use('golf'), use('polo'), ['polo']],
    ['one chosen by hand stays', ['truck'], use('golf'), use('polo'), ['truck']],
    ['one beside the usual one stays', ['golf', 'truck'], use('golf'), use('polo'), ['polo', 'truck']],
    ['the order stays', ['trailer', 'golf'], use('golf', BE), use('polo', BE), ['trailer', 'polo']],
    ['an instructor without a usual one gets none', ['golf'], use('golf'), use(null), []],
    ['one that is not in use is not taken along', ['golf'], use('golf'), use('old'), []],
    ['one that is no longer in use gives way', ['old'], use('old'), use('polo'), ['polo']],
    ['a deleted one gives way', ['gone'], use('gone'), use('polo'), ['polo']],
    ['a lesson without a usual one gets it', [], use(null), use('polo'), ['polo']],
    ['one chosen in place of none stays', ['truck'], use(null), use('polo'), ['truck']],
    ['one taken out by hand is not replaced', [], use('golf'), use('polo'), []],
    ['the same instructor changes nothing', [], use('golf'), use('golf'), []],
    ['a lesson that has both keeps one', ['golf', 'polo'], use('golf'), use('polo'), ['polo']],
    ['theory loses the usual one', ['golf'], use('golf'), use('golf', { lesson_type: theory }), []],
    ['a drive gets the usual one', [], use('golf', { lesson_type: theory }), use('golf'), ['golf']],
    [
      'theory keeps one chosen by hand',
      ['truck'],
      use('golf'),
      use(null, { lesson_type: theory }),
      ['truck'],
    ],
    ['class BE gets the trailer', ['golf'], use('golf'), use('golf', BE), ['golf', 'trailer']],
    ['another class loses the trailer', ['golf', 'trailer'], use('golf', BE), use('golf'), ['golf']],
    [
      'the trailer stays with another instructor',
      ['golf', 'trailer'],
      use('golf', BE),
      use('polo', BE),
      ['polo', 'trailer'],
    ],
    ['a trailer chosen by hand stays', ['golf', 'other'], use('golf'), use('golf', BE), ['golf', 'other']],
    [
      'three are the most',
      ['golf', 'truck', 'truck 2'],
      use('golf'),
      use('golf', BE),
      ['golf', 'truck', 'truck 2'],
    ],
  ])('%s', (_, vehicle_ids, before, after, expected) => {
    const fleet = new Map(CAR_TRAILER).set(
      'other',
      vehicle('other', { kind: 'trailer', license_classes: ['B'] }),
    )
    expect(vehiclesAfter(vehicle_ids, [before, after], fleet)).toEqual(expected)
  })

  it('moving there and back changes nothing', () => {
    for (const vehicle_ids of [['golf'], ['golf', 'truck'], ['truck'], []])
      expect(
        vehiclesAfter(
          vehiclesAfter(vehicle_ids, [use('golf'), use('polo')], CAR_TRAILER),
          [use('polo'), use('golf')],
          CAR_TRAILER,
        ),
      ).toEqual(vehicle_ids)
  })
})

describe('the vehicles beside the usual ones', () => {
  it.each<[readonly string[], VehicleUse, readonly string[] | undefined]>([
    [['golf'], use('golf'), []],
    [['golf', 'truck'], use('golf'), ['truck']],
    [['truck'], use('golf'), undefined],
    [[], use('golf'), undefined],
    [[], use(null), []],
    [['truck'], use(null), undefined],
    [['golf', 'trailer'], use('golf', BE), []],
    [['golf'], use('golf', BE), undefined],
    [['golf', 'other'], use('golf', BE), ['other']],
    [['golf', 'other'], use('golf'), ['other']],
    [['other'], use(null), ['other']],
  ])('of %j for %j are %j', (vehicle_ids, of, expected) => {
    const fleet = new Map(CAR_TRAILER).set(
      'other',
      vehicle('other', { kind: 'trailer', license_classes: ['B'] }),
    )
    expect(besideUsual(vehicle_ids, of, fleet)).toEqual(expected)
  })

  it('make up all of them again', () => {
    for (const vehicle_ids of [['golf'], ['golf', 'truck'], ['golf', 'trailer', 'truck']]) {
      const beside = besideUsual(vehicle_ids, use('golf'), CAR_TRAILER)
      expect(vehiclesFor(use('golf'), CAR_TRAILER, beside)).toEqual(vehicle_ids)
    }
  })
})
