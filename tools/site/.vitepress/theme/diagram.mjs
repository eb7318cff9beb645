import library from '@mermaid-js/tiny?url';
import { useData } from 'vitepress';
import { defineComponent, h, onMounted, ref, watch } from 'vue';

let drawn = 0;
let loaded;

/** The library is a script of 2.5 MB, not a module. Only pages with diagrams load it. */
function mermaid() {
  loaded ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: library });
    script.addEventListener('load', () => resolve(globalThis.mermaid));
    script.addEventListener('error', () => reject(new Error('The diagrams could not be loaded.')));
    document.head.append(script);
  });
  return loaded;
}

/** Draws a Mermaid diagram. */
export default defineComponent({
  props: { code: { type: String, required: true }, name: { type: String, required: true } },
  setup({ code, name }) {
    const { isDark } = useData();
    const svg = ref('');
    const draw = async () => {
      const { initialize, render } = await mermaid();
      const theme = isDark.value ? 'dark' : 'default';
      initialize({ startOnLoad: false, securityLevel: 'strict', theme, htmlLabels: false });
      ({ svg: svg.value } = await render(`diagram-${++drawn}`, decodeURIComponent(code)));
    };
    onMounted(draw);
    watch(isDark, draw);
    // It scrolls, also with the keyboard.
    const area = { class: 'svc-diagram', tabindex: 0, role: 'region', 'aria-label': name };
    return () => h('div', { ...area, innerHTML: svg.value });
  },
});
