import { useTranslation } from 'react-i18next'
import type { SchoolNumbers } from '../data/numbers.ts'
import { useSchool } from '../ui/school.tsx'
import { Bars, Figure } from './figure.tsx'
import css from './numbers-page.module.css'
import { RowsLink } from './rows-link.tsx'
import { useFormats } from './use-formats.ts'

type FiguresProps = { readonly numbers: SchoolNumbers; readonly before: SchoolNumbers | undefined }

/** The plots of tests: the days from enrolment to test, and those passed at the first attempt. */
export function TestFigures(props: FiguresProps) {
  return (
    <>
      <Passed {...props} />
      <ToTest {...props} />
    </>
  )
}

type Passes = SchoolNumbers['passed'][number]

function Passed({ numbers, before }: FiguresProps) {
  const { t } = useTranslation()
  const { percent } = useFormats()
  const shareOf = ({ taken, passed }: Passes) => passed / taken
  const nameOf = ({ license_class, test }: Passes) => `${license_class} ${t(`numbers.test.${test}`)}`
  const first = numbers.passed.filter(({ attempt }) => attempt === 'first')
  const sameBefore = (one: Passes) =>
    before?.passed.find(
      ({ license_class, test, attempt }) =>
        license_class === one.license_class && test === one.test && attempt === one.attempt,
    )
  return (
    <Figure
      title={t('numbers.passed.title')}
      about={t('numbers.passed.about')}
      columns={[
        t('field.test'),
        t('field.attempt'),
        t('numbers.passed.taken'),
        t('numbers.passed.passed'),
        t('numbers.beforeColumn'),
      ]}
      rows={numbers.passed.map((one) => {
        const earlier = sameBefore(one)
        return {
          key: `${one.license_class} ${one.test} ${one.attempt}`,
          name: nameOf(one),
          cells: [
            t(`numbers.passed.${one.attempt}`),
            <RowsLink key="rows" rows={one.rows}>
              {one.taken}
            </RowsLink>,
            `${one.passed} (${percent(shareOf(one))})`,
            earlier ? percent(shareOf(earlier)) : '–',
          ],
        }
      })}
    >
      <Bars
        label={t('numbers.passed.title')}
        max={1}
        bars={first.map((one) => {
          const earlier = sameBefore(one)
          return {
            key: `${one.license_class} ${one.test}`,
            name: nameOf(one),
            value: shareOf(one),
            before: earlier && shareOf(earlier),
            text: t('numbers.passed.of', {
              share: percent(shareOf(one)),
              passed: one.passed,
              taken: one.taken,
            }),
          }
        })}
      />
    </Figure>
  )
}

const [ROW, LONGEST] = [42, 62] as const

/** The median of the days as a dot on a line from the first to the third quartile. */
function ToTest({ numbers: { to_test }, before }: FiguresProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const shown = to_test.filter(({ n }) => n > 0)
  const most = Math.max(1, ...shown.map(({ quarter_days }) => quarter_days?.[1] ?? 0))
  const at = (days: number) => `${2 + (LONGEST * days) / most}%`
  const days = (value: number | null) => (value === null ? '–' : format.units(Math.round(value)))
  const beforeOf = ({ license_class, test }: (typeof to_test)[number]) =>
    before?.to_test.find((one) => one.license_class === license_class && one.test === test)?.median_days ??
    null
  return (
    <Figure
      title={t('numbers.toTest.title')}
      about={t('numbers.toTest.about')}
      columns={[
        t('field.test'),
        t('numbers.toTest.n'),
        t('numbers.toTest.median'),
        t('numbers.toTest.quarters'),
        t('numbers.beforeColumn'),
      ]}
      rows={shown.map((one) => ({
        key: `${one.license_class} ${one.test}`,
        name: `${one.license_class} ${t(`numbers.test.${one.test}`)}`,
        cells: [
          <RowsLink key="rows" rows={one.rows}>
            {one.n}
          </RowsLink>,
          days(one.median_days),
          one.quarter_days?.map(days).join('–') ?? '–',
          days(beforeOf(one)),
        ],
      }))}
    >
      <svg
        className={css.bars}
        role="img"
        aria-label={t('numbers.toTest.title')}
        width="100%"
        height={shown.length * ROW}
      >
        {shown.map(({ license_class, test, median_days, quarter_days }, index) => (
          <g key={`${license_class} ${test}`} transform={`translate(0 ${index * ROW})`}>
            <text x="0" y="14">{`${license_class} ${t(`numbers.test.${test}`)}`}</text>
            <line
              className={css.range}
              x1={at(quarter_days?.[0] ?? 0)}
              x2={at(quarter_days?.[1] ?? 0)}
              y1="27"
              y2="27"
            />
            <circle className={css.bar} cx={at(median_days ?? 0)} cy="27" r="6" />
            <text x={at(quarter_days?.[1] ?? 0)} dx="10" y="32" className={css.value}>
              {t('numbers.toTest.days', { days: days(median_days) })}
            </text>
          </g>
        ))}
      </svg>
    </Figure>
  )
}
