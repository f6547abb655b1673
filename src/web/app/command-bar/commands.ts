import type { i18n, TFunction } from 'i18next'
import type { LessonType } from '../../../contract/lesson-type.ts'
import { logOut } from '../../data/session.ts'
import { APPEARANCES, appearance, chooseAppearance } from '../../ui/color-scheme.ts'
import { deSearchTerms } from '../../ui/i18n/de-search-terms.ts'
import { enSearchTerms } from '../../ui/i18n/en-search-terms.ts'
import { changeLanguage, LANGUAGES, type Language } from '../../ui/i18n/i18n.ts'
import type { IconName } from '../../ui/icon.tsx'
import type { School } from '../../ui/school.tsx'
import { redo, undo } from '../../ui/undo/steps.ts'
import type { FindableEntry } from './entry.ts'
import type { Navigation } from './navigation.ts'

type Context = {
  readonly navigation: Navigation
  readonly t: TFunction
  readonly i18n: i18n
  readonly school: School
  /** The labels of the next steps to undo and redo; undefined if there is none. */
  readonly next: { readonly undo: string | undefined; readonly redo: string | undefined }
}

/** Returns the commands that work anywhere, in display order. */
export function commandsFor(context: Context): readonly FindableEntry[] {
  return [
    ...lessonCommands(context),
    ...stepCommands(context),
    ...boardCommands(context),
    ...pageCommands(context),
    ...personalCommands(context),
  ]
}

/** Returns a command for each lesson type on offer: it opens the form of a new lesson with that type. */
export function typeCommandsFor({ navigation, school, t }: Context): readonly FindableEntry[] {
  const { date } = navigation
  return school.lessonTypes
    .filter(({ hidden }) => !hidden)
    .map(({ id, name, ...kind }) => ({
      id,
      icon: 'plus',
      label: t('command.bookType', { name }),
      findable: { names: [name], words: kindsOf(kind).map(termsOf).join(' ') },
      actions: [{ label: t('action.book'), act: () => navigation.book({ date, lesson_type_id: id }) }],
    }))
}

function kindsOf({ category, seats }: Pick<LessonType, 'category' | 'seats'>): readonly TermsKey[] {
  const isGroup = seats > 1 || category === 'course' || category === 'seminar'
  return [
    'book',
    ...(isGroup ? (['group'] as const) : []),
    ...(category.startsWith('theory') ? (['theory'] as const) : []),
    ...(category.endsWith('exam') ? (['exam'] as const) : []),
    ...(category === 'special' ? (['special'] as const) : []),
  ]
}

function lessonCommands({ navigation, t }: Context): readonly FindableEntry[] {
  const { date } = navigation
  return [
    command('plus', t('action.book'), () => navigation.book({ date }), 'book'),
    command('clock', t('find.open'), () => navigation.book({ date, isFinding: true }), 'find'),
    command('alert', t('absencePage.handle'), () => navigation.showAbsence(), 'absence'),
    command('alert', t('absencePage.of.closure.apply'), () => navigation.closeDay(), 'closure'),
  ]
}

function stepCommands({ t, next }: Context): readonly FindableEntry[] {
  return [
    ...(next.undo === undefined
      ? []
      : [command('undo', t('undo.next', { step: next.undo }), () => void undo())]),
    ...(next.redo === undefined
      ? []
      : [command('redo', t('undo.again', { step: next.redo }), () => void redo())]),
  ]
}

function boardCommands({ navigation, school, t }: Context): readonly FindableEntry[] {
  const { today, isPrintable, showBoard } = navigation
  return [
    command('calendar', t('board.today'), () => showBoard({ date: today })),
    command('board', t('command.day'), () => showBoard({ view: undefined })),
    command('board', t('command.week'), () => showBoard({ view: 'week' })),
    command('board', t('board.teamWeek'), () => showBoard({ view: 'team' })),
    ...(school.vehicles.length > 0
      ? [command('board', t('field.vehicle_ids'), () => showBoard({ view: 'vehicles' }), 'vehicles')]
      : []),
    ...(isPrintable ? [command('print', t('action.print'), () => setTimeout(() => window.print()))] : []),
    command('print', t('sheet.all'), () => navigation.showDaySheet(), 'sheet'),
  ]
}

function pageCommands({ navigation, t, school }: Context): readonly FindableEntry[] {
  const { showPage, showStudents } = navigation
  const isOwner = school.user.role === 'owner'
  return [
    ...(navigation.isOnBoard
      ? []
      : [command('board', t('nav.board'), () => navigation.showBoard({}), 'board')]),
    command('students', t('nav.students'), () => showStudents({}), 'students'),
    command('plus', t('student.add'), () => showStudents({ add: true }), 'newStudent'),
    command('students', t('exam.ready'), () => showStudents({ ready: true }), 'ready'),
    command('students', t('missed.show'), () => showStudents({ missed: true }), 'missed'),
    command('trash', t('deleted.title'), () => showStudents({ deleted: true }), 'deleted'),
    command('note', t('files.import'), () => showStudents({ file: 'import' }), 'import'),
    command('note', t('files.export'), () => showStudents({ file: 'export' }), 'export'),
    command('instructor', t('nav.instructors'), () => showPage('/instructors'), 'instructors'),
    command('plus', t('board.addInstructor'), navigation.addInstructor, 'newInstructor'),
    command('clock', t('minutes.title'), () => showPage('/minutes'), 'minutes'),
    command('mail', t('nav.inbox'), () => showPage('/inbox'), 'inbox'),
    command('clock', t('nav.changes'), () => showPage('/changes'), 'changes'),
    ...(isOwner
      ? [
          command('check', t('numbers.title'), () => showPage('/numbers'), 'numbers'),
          command('edit', t('nav.settings'), () => showPage('/settings'), 'settings'),
          command('user', t('nav.users'), () => showPage('/users'), 'users'),
        ]
      : []),
    ...(school.user.instructor_id === null
      ? []
      : [
          command('user', t('nav.today'), () => showPage('/today')),
          command('calendar', t('request.title'), () => showPage('/requests')),
        ]),
    command('key', t('nav.account'), () => showPage('/account'), 'account'),
  ]
}

function personalCommands({ navigation, t, i18n }: Context): readonly FindableEntry[] {
  const languages = Object.entries(LANGUAGES).filter(([language]) => language !== i18n.language)
  const appearances = APPEARANCES.filter((one) => one !== appearance())
  return [
    ...languages.map(([language, name]) =>
      command('user', t('command.language', { name }), () => void changeLanguage(language as Language)),
    ),
    ...appearances.map((one) =>
      command('user', t('command.appearance', { name: t(`app.${one}`) }), () => chooseAppearance(one)),
    ),
    command('keyboard', t('command.keys'), navigation.help, 'keys'),
    command('user', t('login.logout'), () => void logOut(), 'logout'),
  ]
}

type TermsKey = keyof typeof deSearchTerms

/** Returns the search terms of all languages: users do not always type in the language of the screen. */
function termsOf(key: TermsKey): string {
  return `${deSearchTerms[key]} ${enSearchTerms[key]}`
}

function command(icon: IconName, label: string, act: () => void, key?: TermsKey): FindableEntry {
  const findable = { names: [label], ...(key && { words: termsOf(key) }) }
  return { id: label, icon, label, findable, actions: [{ label, act }] }
}
