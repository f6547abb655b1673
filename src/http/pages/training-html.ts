import { html } from 'ghtml'
import { filled } from '../../booking/packs/page-messages.ts'
import type { OwnTraining } from '../../booking/trainings/own-training.ts'
import type { NextStep } from '../../domain/next-step.ts'
import type { Tick } from '../../domain/ticks.ts'
import { listText, type PageLanguage } from './page-html.ts'

type Language = Pick<PageLanguage, 'texts' | 'locale'>

/** Returns the next step of a student's training; empty without one. */
export function nextStepPart({ next }: OwnTraining, look: Language): string {
  return next ? html`<section><p class="hint">${stepText(next, look)}</p></section>` : ''
}

/** Returns the papers and tests of a student's training with their states; empty without any. */
export function papersPart({ ticks }: OwnTraining, { texts, locale }: Language): string {
  const shown = ticks.filter(({ state, date }) => state !== 'not_needed' || date !== null)
  const items = shown.map((tick) => {
    const state = stateText(tick, { texts, locale })
    return html`<li><p><strong>${texts[`tick_${tick.kind}`]}</strong> <span>${state}</span></p></li>`
  })
  if (items.length === 0) return ''
  return html`<section><h2>${texts.papers}</h2><ul class="progress">!${items.join('')}</ul></section>`
}

function stepText({ step, kinds }: NextStep, { texts, locale }: Language): string {
  if (step === 'done') return texts.step_done
  const papers = listText(
    kinds.map((kind) => texts[`tick_${kind}`]),
    locale,
  )
  const isTick = step === 'theory_test' || step === 'practical_test' || step === 'licence'
  const name = isTick ? texts[`tick_${step}`] : filled(texts[`step_${step}`], { papers })
  return filled(texts.next_step, { step: name })
}

function stateText({ state, valid_until }: Tick, { texts, locale }: Language): string {
  if (state === 'missing') return texts.tick_missing
  if (valid_until === null) return texts.tick_done
  const text = state === 'expired' ? texts.tick_expired : texts.tick_until
  return filled(text, { date: dateText(valid_until, locale) })
}

/** A cache: creating a formatter takes as long as formatting a hundred dates. */
const formats = new Map<string, Intl.DateTimeFormat>()

function dateText(date: string, locale: string): string {
  const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, DATE)
  formats.set(locale, format)
  return format.format(new Date(`${date}T00:00Z`))
}

const DATE = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
