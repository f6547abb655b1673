import anyAscii from 'any-ascii'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Findable, searchAmong } from './search.ts'
import { plain } from './spelling.ts'

const person = (first: string, last: string, more: Partial<Findable> = {}): Findable => ({
  names: [first, last],
  ...more,
})

const find = (items: readonly Findable[], text: string, country = 'DE') =>
  searchAmong(items, (one) => one, country)(text).map(({ names }) => names.join(' '))

const SCHOOL = [
  person('Günther', 'Böhm'),
  person('Agnieszka', 'Wiśniewska-Krüger'),
  person('Łukasz', 'Wiśniewski', { email: 'lw@post.example' }),
  person('Yusuf', 'Yıldırım', { phone: '0176 2255 0177' }),
  person('Emma', 'Kaya', { phone: '+49 30 5550145', phone_2: '0171 5550146' }),
  person('Ayşe', 'Groß', { email: 'ayse.g@post.example' }),
  person('Guenter', 'Kruger', { phone: '+43 660 1234567' }),
  person('Søren', "O'Brien"),
]

describe('the search', () => {
  it.each([
    ['gunther', ['Günther Böhm', 'Guenter Kruger']],
    ['GUENTHER B', ['Günther Böhm']],
    ['günter', ['Guenter Kruger', 'Günther Böhm']],
    ['bohm', ['Günther Böhm']],
    ['boehm gue', ['Günther Böhm']],
    ['wisniewski', ['Łukasz Wiśniewski', 'Agnieszka Wiśniewska-Krüger']],
    ['lukasz', ['Łukasz Wiśniewski']],
    ['yildirim', ['Yusuf Yıldırım']],
    ['YILDIRIM', ['Yusuf Yıldırım']],
    ['kaya, emma', ['Emma Kaya']],
    ['ayse', ['Ayşe Groß']],
    ['gros', ['Ayşe Groß']],
    ['gross', ['Ayşe Groß']],
    ['krueger', ['Agnieszka Wiśniewska-Krüger', 'Guenter Kruger']],
    ['soeren obrien', ["Søren O'Brien"]],
    ['soren', ["Søren O'Brien"]],
    ['wisniewskakruger', ['Agnieszka Wiśniewska-Krüger']],
    ['lw@post', ['Łukasz Wiśniewski']],
    ['emmakaya', ['Emma Kaya']],
    ['kayaem', ['Emma Kaya']],
    ['guentherboehm', ['Günther Böhm']],
    ["soren o'brien", ["Søren O'Brien"]],
    ['o brien', ["Søren O'Brien"]],
    ['emma kaia', []],
    ['makaya', []],
    ['emma emma', []],
    ['nobody', []],
  ])('for "%s" finds %j', (text, names) => {
    expect(find(SCHOOL, text)).toEqual(names)
  })

  it.each([
    ['0305550145', 'Emma Kaya'],
    ['030 555 01 45', 'Emma Kaya'],
    ['Tel. 030/555 01 45', 'Emma Kaya'],
    ['Telefon-Nr.: 030 – 5550145', 'Emma Kaya'],
    ['tel:+49305550145', 'Emma Kaya'],
    ['Emma Mobil 0171 555 01 46', 'Emma Kaya'],
    ['(030) 5550145', 'Emma Kaya'],
    ['+49 (0)30 5550145', 'Emma Kaya'],
    ['0049305550145', 'Emma Kaya'],
    ['49305550145', 'Emma Kaya'],
    ['5550145', 'Emma Kaya'],
    ['kaya 030', 'Emma Kaya'],
    ['kaya 0171', 'Emma Kaya'],
    ['+491715550146', 'Emma Kaya'],
    ['+491762255', 'Yusuf Yıldırım'],
    ['0176-22', 'Yusuf Yıldırım'],
    ['00436601234567', 'Guenter Kruger'],
    ['0660', undefined],
    ['00', undefined, 3],
  ])('matches phone numbers against %s', (text, name, count = name ? 1 : 0) => {
    const found = find(SCHOOL, text)
    expect([found.length, name ?? found[0]]).toEqual([count, found[0]])
  })

  it('finds a Polish number, which has no leading 0', () => {
    const people = [person('Jan', 'Nowak', { phone: '501 234 567' })]
    expect(find(people, '+48501', 'PL')).toHaveLength(1)
    expect(find(people, '501234567', 'PL')).toHaveLength(1)
    expect(find(people, '+49501', 'PL')).toHaveLength(0)
  })

  it('finds lesson types and classes by name', () => {
    const named = (...names: string[]): Findable => ({ names })
    const types = [named('Übungsfahrt (Grundausbildung)'), named('Überlandfahrt'), named('Autobahnfahrt')]
    expect(find(types, 'uber')).toEqual(['Überlandfahrt'])
    expect(find(types, 'grund')).toEqual(['Übungsfahrt (Grundausbildung)'])
    const classes = [
      named('Mofa', 'Mofa-Prüfbescheinigung'),
      named('BE', 'Klasse BE'),
      named('B', 'Klasse B'),
    ]
    expect(find(classes, 'b')[0]).toBe('B Klasse B')
  })
})

describe('the search in other scripts', () => {
  const people = [
    person('小明', '王'),
    person('Иван', 'Щербаков'),
    person('Юлия', 'Мюллер'),
    person('أحمد', 'يوسف'),
    person('محمد', 'عبد الله'),
    person('Γιώργος', 'Παπαδόπουλος'),
    person('Max', 'Müller'),
  ]

  it.each([
    ['wang', '小明 王'],
    ['wang xiaoming', '小明 王'],
    ['xiaomingwang', '小明 王'],
    ['王', '小明 王'],
    ['ivan', 'Иван Щербаков'],
    ['shcherbakov', 'Иван Щербаков'],
    ['щербаков', 'Иван Щербаков'],
    ['yuliya', 'Юлия Мюллер'],
    ['ahmed', 'أحمد يوسف'],
    ['yusuf ahmad', 'أحمد يوسف'],
    ['mohammed', 'محمد عبد الله'],
    ['muhammad abdullah', 'محمد عبد الله'],
    ['عبد', 'محمد عبد الله'],
    ['giorgos', 'Γιώργος Παπαδόπουλος'],
    ['макс', 'Max Müller'],
  ])('for "%s" finds %s', (text, name) => {
    expect(
      searchAmong(people, (one) => one, 'DE', anyAscii)(text).map(({ names }) => names.join(' ')),
    ).toContain(name)
  })

  it('compares the letters as they are until there are tables', () => {
    expect([find(people, 'иван'), find(people, 'ivan')]).toEqual([['Иван Щербаков'], []])
  })
})

describe('the matches of a search', () => {
  it('are ordered: exact, start of a name, start of a word, inside a word, typing error', () => {
    const people = [
      person('Kuayam', 'Zander'),
      person('Makaya', 'Zander'),
      person('Anna', 'Zander-Kayas'),
      person('Zoe', 'Kayadelen'),
      person('Emma', 'Kaya'),
      person('Kaya', ''),
    ]
    expect(find(people, 'kaya')).toEqual([
      'Kaya ',
      'Emma Kaya',
      'Zoe Kayadelen',
      'Anna Zander-Kayas',
      'Makaya Zander',
    ])
    expect(find(people, 'kuayma')).toEqual(['Kuayam Zander'])
    expect(find([person('Kay', 'Am'), person('Zoe', 'Meyer'), person('Al', 'Meier')], 'meier')).toEqual([
      'Al Meier',
      'Zoe Meyer',
    ])
  })

  it('need a different word for each search word', () => {
    const people = [person('Martin', 'Abel'), person('Martin', 'Mayer')]
    expect(find(people, 'martin ma')).toEqual(['Martin Mayer'])
    expect(find(people, 'ma martin')).toEqual(['Martin Mayer'])
  })
})

const RUNS = { numRuns: 500 }
const LETTERS = 'abcdefghijklmnopqrstuvwxyzäöüßşğçıłøéńś'
const word = (minLength: number) => fc.string({ unit: fc.constantFrom(...LETTERS), minLength, maxLength: 9 })
const anyText = fc.string({ unit: 'binary', maxLength: 30 })

describe('any person in the list', () => {
  const people = fc.array(fc.tuple(word(2), word(2)), { minLength: 1, maxLength: 20 })

  it('is found by the full name in any order, case and spelling', () => {
    const spellings = fc.constantFrom(
      (text: string) => text,
      plain,
      (text: string) => text.toUpperCase(),
      (text: string) => text.normalize('NFD'),
      (text: string) =>
        text.replace(/[äöüßø]/g, (one) => ({ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', ø: 'oe' })[one] ?? one),
    )
    const between = fc.constantFrom(' ', ', ', ',', '  ', '-')
    fc.assert(
      fc.property(people, spellings, between, fc.boolean(), (names, spell, gap, isTurned) => {
        const [name = ['', '']] = names
        const text = (isTurned ? name.toReversed() : name).map(spell).join(gap)
        expect(
          find(
            names.map(([first, last]) => person(first, last)),
            text,
          ),
        ).toContain(name.join(' '))
      }),
      RUNS,
    )
  })

  it('is found despite one typing error in a name of at least six letters', () => {
    fc.assert(
      fc.property(
        word(6),
        fc.nat(),
        fc.constantFrom(...'abcxyz'),
        fc.nat({ max: 3 }),
        (last, seed, letter, kind) => {
          const letters = [...plain(last)]
          const at = seed % (letters.length - 1)
          const [one = '', next = ''] = letters.slice(at, at + 2)
          const instead = [[letter], [], [letter, one], [next, one]][kind] ?? []
          const typed = letters.toSpliced(at, kind === 3 ? 2 : 1, ...instead).join('')
          expect(find([person('Lena', last)], typed), typed).toEqual([`Lena ${last}`])
        },
      ),
      RUNS,
    )
  })

  it('is found by phone number with any prefix', () => {
    const digits = fc.stringMatching(/^[1-9]\d{6,10}$/)
    const prefixes = fc.constantFrom('0', '+49', '0049', '+49 (0)', '+49 ')
    fc.assert(
      fc.property(digits, prefixes, prefixes, (number, stored, typed) => {
        const phone = `${stored}${number.slice(0, 3)} ${number.slice(3)}`
        expect(find([person('Lena', 'Vogt', { phone })], `${typed}${number}`)).toHaveLength(1)
      }),
      RUNS,
    )
  })

  it('is found at most once, in the same order for any order of the search words', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, anyText, anyText, anyText)), anyText, anyText, (rows, a, b) => {
        const items = rows.map(([first, last, email, phone]) => person(first, last, { email, phone }))
        const search = searchAmong(items, (one) => one, 'DE')
        const found = search(`${a} ${b}`)
        expect(new Set(found).size).toBe(found.length)
        expect(items).toEqual(expect.arrayContaining([...found]))
        const isNumber = /\d/.test(a + b)
        if (!isNumber) expect(search(`${b} ${a}`)).toEqual(found)
      }),
      RUNS,
    )
  })
})
