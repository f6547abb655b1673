import type { deExams } from './de-exams.ts'

export const enExams: typeof deExams = {
  exam: {
    result: 'Exam result',
    passed: 'Passed',
    failed: 'Failed',
    why: 'Reason for failing',
    ready: 'Ready for the exam',
    notReady: 'Not ready for the exam yet',
    onlyReady: 'Only those ready',
    noneReady: 'Nobody is ready for the exam yet.',
    nextSlot: 'Next slot: {{when}}, {{who}}',
    noSlot: 'No free slot for the exam within four weeks',
    missing: {
      requirements: 'lessons missing',
      theory: 'theory classes missing',
      theory_test: 'theory test missing',
    },
    testPassed: 'Theory test passed',
    testFailed: 'Theory test failed',
    done: 'Practical exam passed',
    from: 'next exam from {{day}}',
  },
}
