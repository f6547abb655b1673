import type { i18n, TFunction } from 'i18next'
import type { UserRole } from '../../../contract/auth.ts'
import { logOut } from '../../data/session.ts'
import { APPEARANCES, appearance, chooseAppearance } from '../../ui/color-scheme.ts'
import { changeLanguage, LANGUAGES, type Language } from '../../ui/i18n/i18n.ts'
import type { IconName } from '../../ui/icon.tsx'
import { redo, undo } from '../../ui/undo/steps.ts'
import type { Entry } from './entry.ts'
import type { Hand } from './hand.ts'

type Context = {
  readonly hand: Hand
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

function lessonCommands({ hand, t }: Context): readonly Entry[] {
  const { date } = hand
  return [
    command('plus', t('action.book'), () => hand.book({ date })),
    command('clock', t('find.open'), () => hand.book({ date, isFinding: true })),
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

function boardCommands({ hand, t }: Context): readonly Entry[] {
  return [
    command('calendar', t('board.today'), () => hand.showBoard({ date: hand.today })),
    command('board', t('command.day'), () => hand.showBoard({ view: undefined })),
    command('board', t('command.week'), () => hand.showBoard({ view: 'week' })),
    ...(hand.isPrintable
      ? [command('print', t('action.print'), () => setTimeout(() => window.print()))]
      : []),
    command('print', t('sheet.all'), () => hand.showDaySheet()),
  ]
}

function pageCommands({ hand, t, role }: Context): readonly Entry[] {
  return [
    ...(hand.isOnBoard ? [] : [command('board', t('nav.board'), () => hand.showBoard({}))]),
    command('students', t('nav.students'), () => hand.showPage('/students')),
    command('instructor', t('nav.instructors'), () => hand.showPage('/instructors')),
    command('clock', t('nav.changes'), () => hand.showPage('/changes')),
    ...(role === 'owner' ? [command('edit', t('nav.settings'), () => hand.showPage('/settings'))] : []),
  ]
}

function personalCommands({ hand, t, i18n }: Context): readonly Entry[] {
  const languages = Object.entries(LANGUAGES).filter(([language]) => language !== i18n.language)
  const appearances = APPEARANCES.filter((one) => one !== appearance())
  return [
    ...languages.map(([language, name]) =>
      command('user', t('command.language', { name }), () => void changeLanguage(language as Language)),
    ),
    ...appearances.map((one) =>
      command('user', t('command.appearance', { name: t(`app.${one}`) }), () => chooseAppearance(one)),
    ),
    command('keyboard', t('command.keys'), hand.help),
    command('user', t('login.logout'), () => void logOut()),
  ]
}

function command(icon: IconName, label: string, act: () => void): Entry {
  return { id: label, icon, label, findable: { names: [label] }, actions: [{ words: label, act }] }
}
