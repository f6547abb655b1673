import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../src')
const paths = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path))

/** Names that the glossary of `docs/architecture.md` has replaced by the field's word. */
const REPLACED = new Set([
  ...['Deed', 'Deeds', 'may', 'requireMay', 'Desk', 'Entrance', 'Diary', 'Judgement', 'judge', 'judged'],
  ...['Traces', 'findTraces', 'mentionsOf', 'MentionText', 'listMentions', 'eraseMentions'],
  ...['Told', 'ToldFields', 'tell', 'tellBooked', 'tellSaved', 'tellSeries', 'untoldIds', 'toldOf'],
  ...['Noted', 'noteStep', 'noteAccess', 'noteUse', 'noteProof', 'notePerson', 'notePasskeyUse'],
  ...['besideOthers', 'inOrder', 'atOnce', 'rebased', 'followed', 'followLink', 'mendDamageIn'],
  ...['problemWords', 'refusalWords', 'warningWords', 'lessonWords', 'fieldWords', 'wordsFor'],
  ...['SlotWish', 'Hand', 'useHand', 'useLook', 'HeldLesson', 'specialWords', 'absenceWords'],
  ...['Known', 'Acquaintance', 'Sought', 'Sight', 'Taking', 'FarWay', 'CarriedFile'],
  ...['ask', 'askFor', 'askOnce', 'askUnchanged', 'readAnew', 'READ_ANEW', 'computeAnew', 'useSettled'],
  ...['holdSession', 'ToldLesson', 'isToldAs', 'Reach', 'reachOf', 'Patience', 'PATIENCE', 'handOverWith'],
  ...['Away', 'AwayLists', 'timesAwayFor', 'Settled', 'SettledList', 'takingBack', 'apart', 'Fate', 'Lane'],
  ...['Answered', 'Considered', 'Copied', 'Decoded', 'Followed', 'Found', 'Named', 'Occupied', 'Offered'],
  ...['Placed', 'Prover', 'Proving', 'Queued', 'Same', 'Seen', 'Several', 'Sky', 'Speech', 'Worked'],
  ...['Needed', 'neededFor', 'StillNeeded', 'StillOpen', 'useExpected', 'expectWrites', 'Words', 'spelled'],
  ...['Postman', 'Messenger', 'Courier', 'Carrier', 'Reckon', 'Reckoning', 'loadReckoning'],
  ...['OpenAnswers', 'AnswerDeadline', 'compressAnswers', 'keepAnswer', 'keptAnswer', 'KeptAnswer'],
  ...['FollowedFeed', 'FollowedPage', 'FollowedOffer', 'LeftLesson', 'LessonsAlike', 'closeFiles'],
  ...['dieOf', 'makeElsewhere', 'codedTag', 'knowsRows', 'learntIn', 'untilWhole', 'skyOf', 'booksOf'],
  ...['enterBy', 'goOnAt', 'payLogout', 'useTaking', 'readGapsAnew', 'readLocationsAnew', 'punishReuse'],
])
/** Names of types that do not describe their content, including types within a file. */
const REPLACED_INSIDE = new Set([
  ...[
    'Known',
    'About',
    'Anyway',
    'Cut',
    'Grip',
    'Handed',
    'Learnt',
    'Leaving',
    'Of',
    'Referring',
    'Rewritten',
  ],
  ...['Staffed', 'What', 'Wire', 'Claiming', 'Press', 'Use', 'Before', 'Words', 'Needed'],
])
/** Domain types with the part of a `contract` resource that the rules use. */
const PARTS_OF_RESOURCES = ['Closure', 'Holiday', 'Impact', 'Progress', 'Wish']
const FILES =
  /(?:^|\/)(?:traces|mentions|mention-texts|noted|told-fields|\w*-?deeds|turns|answers|hand|use-look|held-lesson|ask|pace|look|hand-over|hold-session|apart|taking-back|still-\w+|settled-list|away|\w+-words)\.tsx?$/

describe('the source code', () => {
  it('exports no name that the glossary has replaced', () => {
    const exported = paths.flatMap((path) =>
      [
        ...readFileSync(join(SRC, path), 'utf8').matchAll(
          /^export (?:default )?(?:async )?(?:function\*?|const|class|type) +(\w+)/gm,
        ),
      ].map(([, name = '']) => ({ path, name })),
    )
    expect(exported.length).toBeGreaterThan(1000)
    expect(exported.filter(({ name }) => REPLACED.has(name))).toEqual([])
  })

  it('names upper limits MAX, not MOST', () => {
    const limits = paths.flatMap((path) => readFileSync(join(SRC, path), 'utf8').match(/\bMOST_\w+/g) ?? [])
    expect(limits).toEqual([])
  })

  it('declares no type with a name that the glossary has replaced', () => {
    const declared = paths.flatMap((path) =>
      [...readFileSync(join(SRC, path), 'utf8').matchAll(/^(?:export )?(?:type|class) +(\w+)/gm)].map(
        ([, name = '']) => ({ path, name }),
      ),
    )
    expect(declared.length).toBeGreaterThan(1000)
    expect(declared.filter(({ name }) => REPLACED_INSIDE.has(name))).toEqual([])
  })

  it('exports each type name once, except for domain parts of a resource', () => {
    const declarations = paths
      .filter((path) => !/\.test(?:-support)?\.tsx?$/.test(path))
      .flatMap((path) =>
        [...readFileSync(join(SRC, path), 'utf8').matchAll(/^export (?:type|class) +(\w+)/gm)].map(
          ([, name = '']) => name,
        ),
      )
    const repeated = declarations.filter((name, at) => declarations.indexOf(name) !== at)
    expect(repeated.toSorted()).toEqual(PARTS_OF_RESOURCES)
  })

  it('has no file name that the glossary has replaced', () => {
    expect(paths.filter((path) => FILES.test(path))).toEqual([])
  })
})
