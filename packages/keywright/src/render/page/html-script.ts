/* What the page can do: search, a shortcut to it, and a choice of theme. It
 * reads well without. */

export const script = `(()=>{
const $=(s)=>document.querySelector(s),$$=(s)=>[...document.querySelectorAll(s)];
const search=$("#search"),cards=$$("[data-search]"),groups=$$(".group"),rest=["#diagram","#relations","#rules","#toolkit",".hero"].map($).filter(Boolean);
const apply=()=>{const words=search.value.toLowerCase().split(/\\s+/).filter(Boolean);
for(const c of cards)c.hidden=!words.every((w)=>c.dataset.search.includes(w));
for(const g of groups){const own=[...g.querySelectorAll("[data-search]")];g.hidden=words.length>0&&!own.some((c)=>!c.hidden)}
for(const r of rest)r.hidden=words.length>0;
$(".nothing").hidden=words.length===0||cards.some((c)=>!c.hidden)};
search.addEventListener("input",apply);
$("#clear").addEventListener("click",()=>{search.value="";apply();search.focus()});
addEventListener("keydown",(k)=>{if(k.key==="/"&&document.activeElement!==search){k.preventDefault();search.focus()}
if(k.key==="Escape"&&document.activeElement===search){search.value="";apply();search.blur()}});
const root=document.documentElement;
let kept=null;try{kept=localStorage.getItem("keywright-theme")}catch{}
if(kept)root.dataset.theme=kept;
$("#theme").addEventListener("click",()=>{const dark=root.dataset.theme?root.dataset.theme==="dark":matchMedia("(prefers-color-scheme: dark)").matches;
root.dataset.theme=dark?"light":"dark";try{localStorage.setItem("keywright-theme",root.dataset.theme)}catch{}});
const links=new Map($$("nav a[href^='#']").map((a)=>[a.hash.slice(1),a]));
const seen=new IntersectionObserver((entries)=>{for(const {target,isIntersecting} of entries)if(isIntersecting){
for(const a of links.values())a.removeAttribute("aria-current");links.get(target.id)?.setAttribute("aria-current","true")}},{rootMargin:"-10% 0px -80% 0px"});
for(const s of $$("main section[id]"))seen.observe(s)
})()`
