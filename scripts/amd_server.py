# SPDX-License-Identifier: Apache-2.0
"""amdserve.py of AMD_TOOLS with generic (FLAT) memory instructions put right.

The emulator misreads them in two families, and kernels that follow addresses found in memory use
them. On CDNA their unused scalar-address field holds 0, which it takes for s[0:1]: the field is set
to "none" when a code object is loaded. On RDNA4 it misses the address calculation that it has for
the other memory instructions. Private and shared memory through generic pointers stays unmapped,
so such an access still ends in a fault.
"""
import os, re, runpy, struct, sys

tools = os.environ["AMD_TOOLS"]
sys.path.insert(0, tools)
import amdemu

load = amdemu.CodeObject.__init__
start = amdemu._emu
NO_SCALAR_ADDRESS = 0x7F << 16


def load_and_correct(self, *args, **kwargs):
    load(self, *args, **kwargs)
    if amdemu.family(self.mach) != "cdna":
        return
    for at, (mnemonic, _, _) in self.asm.items():
        if mnemonic.startswith("flat_"):
            (word,) = struct.unpack_from("<I", self.mem, at + 4)
            struct.pack_into("<I", self.mem, at + 4, word | NO_SCALAR_ADDRESS)


def start_and_correct():
    emu = start()
    if not hasattr(emu, "quern_corrected"):
        emu.quern_corrected = True
        pcode_of = emu.get_pcode

        def get_pcode(op):
            text = pcode_of(op)
            if type(op).__name__ != "VFLATOp":
                return text
            return re.sub(r"addr\s*=\s*Calc\w+Addr\([^)]*\)\s*;?\n?", "", text).replace("MEM[addr", "MEM[ADDR")

        emu.get_pcode = get_pcode
    return emu


amdemu.CodeObject.__init__ = load_and_correct
amdemu._emu = start_and_correct
runpy.run_path(os.path.join(tools, "amdserve.py"), run_name="__main__")
