import type { i18n, TFunction } from 'i18next'
import type { UserRole } from '../../../contract/auth.ts'
import { logOut } from '../../data/session.ts'
import { APPEARANCES, appearance, chooseAppearance } from '../../ui/color-scheme.ts'
import { changeLanguage, LANGUAGES, type Language } from '../../ui/i18n/i18n.ts'
import type { IconName } from '../../ui/icon.tsx'
import { redo, undo } from '../../ui/undo/steps.ts'
import type { Entry } from './entry.ts'
import type { Navigation } from './navigation.ts'

type Context = {
  readonly navigation: Navigation
  readonly t: TFunction
  readonly i18n: i18n
  readonly role: UserRole
  /** The names of the next steps; undefined if there are none. */
  readonly next: { readonly undo: string | undefined; readonly redo: string | undefined }
}

/** Returns the commands that work anywhere, in display order. */
export function commandsFor(context: Context): readonly Entry[] {
  return [
    ...lessonCommands(context),
    ...stepCommands(context),
    ...boardCommands(context),
    ...pageCommands(context),
    ...personalCommands(context),
  ]
}

function lessonCommands({ navigation, t }: Context): readonly Entry[] {
  const { date } = navigation
  return [
    command('plus', t('action.book'), () => navigation.book({ date })),
    command('clock', t('find.open'), () => navigation.book({ date, isFinding: true })),
  ]
}

function stepCommands({ t, next }: Context): readonly Entry[] {
  return [
    ...(next.undo === undefined
      ? []
      : [command('undo', t('undo.next', { step: next.undo }), () => void undo())]),
    ...(next.redo === undefined
      ? []
      : [command('redo', t('undo.again', { step: next.redo }), () => void redo())]),
  ]
}

function boardCommands({ navigation, t }: Context): readonly Entry[] {
  return [
    command('calendar', t('board.today'), () => navigation.showBoard({ date: navigation.today })),
    command('board', t('command.day'), () => navigation.showBoard({ view: undefined })),
    command('board', t('command.week'), () => navigation.showBoard({ view: 'week' })),
    ...(navigation.isPrintable
      ? [command('print', t('action.print'), () => setTimeout(() => window.print()))]
      : []),
    command('print', t('sheet.all'), () => navigation.showDaySheet()),
  ]
}

function pageCommands({ navigation, t, role }: Context): readonly Entry[] {
  return [
    ...(navigation.isOnBoard ? [] : [command('board', t('nav.board'), () => navigation.showBoard({}))]),
    command('students', t('nav.students'), () => navigation.showPage('/students')),
    command('instructor', t('nav.instructors'), () => navigation.showPage('/instructors')),
    command('clock', t('nav.changes'), () => navigation.showPage('/changes')),
    ...(role === 'owner' ? [command('edit', t('nav.settings'), () => navigation.showPage('/settings'))] : []),
  ]
}

function personalCommands({ navigation, t, i18n }: Context): readonly Entry[] {
  const languages = Object.entries(LANGUAGES).filter(([language]) => language !== i18n.language)
  const appearances = APPEARANCES.filter((one) => one !== appearance())
  return [
    ...languages.map(([language, name]) =>
      command('user', t('command.language', { name }), () => void changeLanguage(language as Language)),
    ),
    ...appearances.map((one) =>
      command('user', t('command.appearance', { name: t(`app.${one}`) }), () => chooseAppearance(one)),
    ),
    command('keyboard', t('command.keys'), navigation.help),
    command('user', t('login.logout'), () => void logOut()),
  ]
}

function command(icon: IconName, label: string, act: () => void): Entry {
  return { id: label, icon, label, findable: { names: [label] }, actions: [{ words: label, act }] }
}
