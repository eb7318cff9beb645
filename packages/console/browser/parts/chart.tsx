/** A line chart over time. The same numbers are in a table below it, for readers who do not see it. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { isDark } from '../shell/theme.js';
import { formatted } from './formats.js';
import type { Tone } from './status.js';

export interface Series {
  readonly name: string;
  readonly tone: Tone;
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  readonly label: string;
  readonly unit: string;
  /** ISO times of the values. */
  readonly times: readonly string[];
  readonly series: readonly Series[];
}

const height = 140;
/** Rows of the table; a point every few minutes is enough to read. */
const mostRows = 12;

export function Chart({ label, unit, times, series }: ChartProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const names = series.map(({ name }) => name).join();
  const data = (): uPlot.AlignedData => [
    times.map((time) => Date.parse(time) / 1_000),
    ...series.map(({ values }) => [...values]),
  ];
  const dark = isDark.value;

  useEffect(() => {
    const element = box.current!;
    const made = new uPlot(optionsOf(element, series), data(), element);
    plot.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, [names, dark]);
  useEffect(() => plot.current?.setData(data()), [times, series]);

  const step = Math.max(1, Math.ceil(times.length / mostRows));
  const rows = times.map((time, index) => ({ time, index })).filter(({ index }) => index % step === 0);
  return (
    <figure class="chart">
      <figcaption>
        {label} <span class="unit">{unit}</span>
        <span class="legend" aria-hidden="true">
          {series.map(({ name, tone }) => (
            <span key={name} class={`key ${tone}`}>
              {name}
            </span>
          ))}
        </span>
      </figcaption>
      <div ref={box} class="plot" aria-hidden="true" />
      <details>
        <summary>Numbers of {label.toLowerCase()}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {series.map(({ name }) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ time, index }) => (
              <tr key={time}>
                <td>{formatted.time(time).slice(11, 19)}</td>
                {series.map(({ name, values }) => (
                  <td key={name} class="number">
                    {values[index] === null || values[index] === undefined ? '–' : formatted.rate(values[index])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function optionsOf(element: HTMLElement, series: readonly Series[]): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: colour('muted'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
    font: `11px ${style.fontFamily}`,
  };
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(1, (most ?? 0) * 1.1)] } },
    axes: [
      {
        ...axis,
        space: 60,
        size: 26,
        values: (_plot, seconds) =>
          seconds.map((value) => formatted.time(new Date(value * 1_000).toISOString()).slice(11, 16)),
      },
      { ...axis, size: 44, values: (_plot, values) => values.map((value) => formatted.rate(value)) },
    ],
    series: [
      {},
      ...series.map(({ name, tone }) => ({
        label: name,
        stroke: colour(tone),
        width: 1.5,
        points: { show: false },
        spanGaps: false,
      })),
    ],
  };
}
